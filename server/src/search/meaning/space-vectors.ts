import { dimensions, type KnownWords, type Meant, productOfSame } from './word-vectors.ts'

/** The vectors of a space's passages and of its entities' names, all compared with a question. */
export type SpaceVectors = {
  readonly size: number
  add: (passage: PassageVector) => void
  deleteOf: (observationId: number) => void
  /** Undefined for a name without a known word. */
  name: (entityId: number, name: Meant | undefined) => void
  /** The known words of a passage, and of an entity's name. */
  wordsOf: (passageId: number) => KnownWords
  wordsOfName: (entityId: number) => KnownWords
  /**
   * The passages most like a question, best first, in all and of some entities, and the mean of all; 1 is the same
   * meaning. The likeness of the name of a passage's entity adds a part of itself.
   */
  nearest: (
    question: Int8Array,
    limit: number,
    ownOf: ReadonlySet<number>,
  ) => { nearest: Alike[]; own: Alike[]; mean: number }
}

export type PassageVector = Meant & { id: number; observationId: number; entityId: number }

export type Alike = { passageId: number; similarity: number }

/** The part of a name's likeness that counts, since facts need not repeat the name of their entity. */
const nameShare = 0.5
const firstCapacity = 64
const bucketBits = 7
const lowest = -2 * productOfSame

export function createSpaceVectors(): SpaceVectors {
  let size = 0
  let ids = new Uint32Array(firstCapacity)
  let owners = new Uint32Array(firstCapacity)
  let entities = new Uint32Array(firstCapacity)
  let vectors = new Int8Array(firstCapacity * dimensions)
  const words = new Map<number, KnownWords>()
  const names = new Map<number, Meant>()

  function grow(): void {
    const capacity = 2 * ids.length
    const [formerIds, formerOwners, formerEntities, formerVectors] = [ids, owners, entities, vectors]
    ids = new Uint32Array(capacity)
    owners = new Uint32Array(capacity)
    entities = new Uint32Array(capacity)
    vectors = new Int8Array(capacity * dimensions)
    ids.set(formerIds)
    owners.set(formerOwners)
    entities.set(formerEntities)
    vectors.set(formerVectors)
  }

  /** The last one moves into its place. */
  function removeAt(place: number): void {
    size -= 1
    words.delete(ids[place]!)
    ids[place] = ids[size]!
    owners[place] = owners[size]!
    entities[place] = entities[size]!
    vectors.copyWithin(place * dimensions, size * dimensions, (size + 1) * dimensions)
  }

  return {
    get size() {
      return size
    },
    wordsOf: (passageId) => words.get(passageId) ?? '',
    wordsOfName: (entityId) => names.get(entityId)?.words ?? '',
    add({ id, observationId, entityId, vector, words: ofPassage }) {
      if (size === ids.length) grow()
      ids[size] = id
      owners[size] = observationId
      entities[size] = entityId
      vectors.set(vector, size * dimensions)
      words.set(id, ofPassage)
      size += 1
    },
    deleteOf(observationId) {
      for (let place = owners.indexOf(observationId); place >= 0 && place < size; ) {
        removeAt(place)
        place = owners.indexOf(observationId, place)
      }
    },
    name(entityId, name) {
      if (name === undefined) names.delete(entityId)
      else names.set(entityId, name)
    },
    nearest(question, limit, ownOf) {
      const products = multiply(vectors, size, question)
      addNames(products, entities, size, names, question)
      let sum = 0
      for (let i = 0; i < size; i += 1) sum += products[i]!
      const least = leastOfBest(products, size, limit)
      const [nearest, own]: [Alike[], Alike[]] = [[], []]
      for (let i = 0; i < size; i += 1) {
        const isOwn = ownOf.size > 0 && ownOf.has(entities[i]!)
        if (products[i]! < least && !isOwn) continue
        const alike = { passageId: ids[i]!, similarity: products[i]! / productOfSame }
        if (products[i]! >= least) nearest.push(alike)
        if (isOwn) own.push(alike)
      }
      const bestOf = (some: Alike[]) =>
        some.sort((a, b) => b.similarity - a.similarity || b.passageId - a.passageId).slice(0, limit)
      return { nearest: bestOf(nearest), own: bestOf(own), mean: sum / (size || 1) / productOfSame }
    },
  }
}

let scratch = new Int32Array(firstCapacity)

function multiply(vectors: Int8Array, size: number, question: Int8Array): Int32Array {
  if (scratch.length < size) scratch = new Int32Array(2 * size)
  for (let i = 0, at = 0; i < size; i += 1, at += dimensions) {
    let product = 0
    for (let k = 0; k < dimensions; k += 4) {
      product +=
        vectors[at + k]! * question[k]! +
        vectors[at + k + 1]! * question[k + 1]! +
        vectors[at + k + 2]! * question[k + 2]! +
        vectors[at + k + 3]! * question[k + 3]!
    }
    scratch[i] = product
  }
  return scratch
}

function addNames(
  products: Int32Array,
  entities: Uint32Array,
  size: number,
  names: ReadonlyMap<number, Meant>,
  question: Int8Array,
): void {
  const shares = new Map<number, number>()
  for (const [entityId, { vector }] of names)
    shares.set(entityId, Math.round(nameShare * product(vector, question)))
  for (let i = 0; i < size; i += 1) products[i]! += shares.get(entities[i]!) ?? 0
}

function product(one: Int8Array, other: Int8Array): number {
  let sum = 0
  for (let i = 0; i < dimensions; i += 1) sum += one[i]! * other[i]!
  return sum
}

/** A product that at least `limit` reach, and few more: sorting all would take longer than comparing them. */
function leastOfBest(products: Int32Array, size: number, limit: number): number {
  const counts = new Uint32Array(((-2 * lowest) >> bucketBits) + 1)
  for (let i = 0; i < size; i += 1) counts[(products[i]! - lowest) >> bucketBits]! += 1
  let bucket = counts.length - 1
  for (let left = limit - counts[bucket]!; left > 0 && bucket > 0; left -= counts[bucket]!) bucket -= 1
  return lowest + (bucket << bucketBits)
}
