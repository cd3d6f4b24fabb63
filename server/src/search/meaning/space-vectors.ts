import { dimensions, productOfSame } from './word-vectors.ts'

/** The vectors of a space's passages, all compared with a question. */
export type SpaceVectors = {
  readonly size: number
  add: (passage: { id: number; observationId: number; vector: Int8Array }) => void
  deleteOf: (observationId: number) => void
  /** The passages most like a question, best first, and the mean of all; 1 is the same meaning. */
  nearest: (question: Int8Array, limit: number) => { nearest: Alike[]; mean: number }
}

type Alike = { passageId: number; similarity: number }

const firstCapacity = 64
const bucketBits = 7
const lowest = -(127 ** 2) * dimensions

export function createSpaceVectors(): SpaceVectors {
  let size = 0
  let ids = new Uint32Array(firstCapacity)
  let owners = new Uint32Array(firstCapacity)
  let vectors = new Int8Array(firstCapacity * dimensions)

  function grow(): void {
    const capacity = 2 * ids.length
    const [formerIds, formerOwners, formerVectors] = [ids, owners, vectors]
    ids = new Uint32Array(capacity)
    owners = new Uint32Array(capacity)
    vectors = new Int8Array(capacity * dimensions)
    ids.set(formerIds)
    owners.set(formerOwners)
    vectors.set(formerVectors)
  }

  /** The last one moves into its place. */
  function removeAt(place: number): void {
    size -= 1
    ids[place] = ids[size]!
    owners[place] = owners[size]!
    vectors.copyWithin(place * dimensions, size * dimensions, (size + 1) * dimensions)
  }

  return {
    get size() {
      return size
    },
    add({ id, observationId, vector }) {
      if (size === ids.length) grow()
      ids[size] = id
      owners[size] = observationId
      vectors.set(vector, size * dimensions)
      size += 1
    },
    deleteOf(observationId) {
      for (let place = owners.indexOf(observationId); place >= 0 && place < size; ) {
        removeAt(place)
        place = owners.indexOf(observationId, place)
      }
    },
    nearest(question, limit) {
      const products = multiply(vectors, size, question)
      let sum = 0
      for (let i = 0; i < size; i += 1) sum += products[i]!
      const least = leastOfBest(products, size, limit)
      const nearest: Alike[] = []
      for (let i = 0; i < size; i += 1) {
        const product = products[i]!
        if (product >= least) nearest.push({ passageId: ids[i]!, similarity: product / productOfSame })
      }
      nearest.sort((a, b) => b.similarity - a.similarity || b.passageId - a.passageId)
      return { nearest: nearest.slice(0, limit), mean: sum / (size || 1) / productOfSame }
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

/** A product that at least `limit` reach, and few more: sorting all would take longer than comparing them. */
function leastOfBest(products: Int32Array, size: number, limit: number): number {
  const counts = new Uint32Array(((-2 * lowest) >> bucketBits) + 1)
  for (let i = 0; i < size; i += 1) counts[(products[i]! - lowest) >> bucketBits]! += 1
  let bucket = counts.length - 1
  for (let left = limit - counts[bucket]!; left > 0 && bucket > 0; left -= counts[bucket]!) bucket -= 1
  return lowest + (bucket << bucketBits)
}
