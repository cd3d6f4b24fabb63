import type { Relation } from '@loci/contract/relations'
import { type StoredObservation, toRelation, toStoredObservation } from '../../rows/codec.ts'
import type { EntitiesTable, ObservationsTable, SearchWordsTable } from '../../store/schema.ts'
import { type IndexedText, indexNames } from '../analyse/index-text.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import type {
  Around,
  FurtherPassage,
  IndexedEntity,
  OfEntity,
  PassageRow,
  VocabularyWord,
} from './index-rows.ts'
import { createMemoryPostings, insertSorted, listIn } from './memory-postings.ts'
import { createMemoryRelations } from './memory-relations.ts'
import { readFields } from './read-fields.ts'

/** An observation with what the index posts of it. */
export type ReadRow = { row: ObservationsTable; indexed: IndexedText; further: readonly FurtherPassage[] }

/** About what an object with its place in maps takes, besides its texts. */
const bytesOfRow = 600

/**
 * All that a search reads of a space, current as of change `seq`. Each function answers as the statement does in whose
 * place it stands; numbers that are not there are left out.
 */
export type SpaceMemory = ReturnType<typeof createSpaceMemory>

export function createSpaceMemory() {
  const postings = createMemoryPostings()
  const relations = createMemoryRelations()
  const entities = new Map<number, EntitiesTable>()
  const named = new Map<string, number[]>()
  const observations = new Map<number, ObservationsTable>()
  /** The observations of each entity, in order. */
  const ofEntity = new Map<number, number[]>()
  const furtherOf = new Map<number, readonly FurtherPassage[]>()
  const partOf = new Map<number, FurtherPassage>()
  /** The place of each observation among the passages of its entity; read again after a change of these. */
  const placesOf = new Map<number, ReadonlyMap<number, number>>()
  /** How names begin. */
  let namesBegin: Set<number> | undefined
  const words: SearchWordsTable[] = []
  const wordsById = new Map<number, SearchWordsTable>()
  const termOfWord = new Map<string, string>()
  let lastWord = 0
  let characters = 0

  const countedEntity = (row: EntitiesTable | undefined): EntitiesTable[] =>
    row === undefined ? [] : [{ ...row, observations_count: ofEntity.get(row.id)?.length ?? 0 }]

  function dropEntity(id: number): void {
    const row = entities.get(id)
    if (row === undefined) return
    const list = named.get(row.name)!
    list.splice(list.indexOf(id), 1)
    if (list.length === 0) named.delete(row.name)
    namesBegin = undefined
    entities.delete(id)
  }

  function dropObservation(id: number): void {
    const row = observations.get(id)
    if (row === undefined) return
    characters -= row.content.length
    const list = ofEntity.get(row.entity_id)!
    list.splice(list.indexOf(id), 1)
    placesOf.delete(row.entity_id)
    for (const { id: passageId } of furtherOf.get(id) ?? []) partOf.delete(passageId)
    furtherOf.delete(id)
    observations.delete(id)
  }

  function readPlaces(entityId: number): ReadonlyMap<number, number> {
    const places = new Map<number, number>()
    let place = 0
    for (const id of ofEntity.get(entityId) ?? []) {
      places.set(id, place)
      place += 1 + (furtherOf.get(id)?.length ?? 0)
    }
    placesOf.set(entityId, places)
    return places
  }

  /** The first word that does not sort before `start`. */
  function placeOfWord(start: string): number {
    let [low, high] = [0, words.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (words[middle]!.word < start) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    seq: 0,
    get size() {
      const rows = entities.size + observations.size + relations.size() + words.length
      return rows * bytesOfRow + 2 * characters + postings.bytes()
    },
    lastWord: () => lastWord,
    ...postings,
    addRelation: relations.add,
    relationsAround: relations.around,
    relationsOfType: relations.ofType,
    relationsAmong: relations.among,
    connections: relations.connections,

    /** Takes rows and what they post out of memory. */
    drop(ids: readonly number[]) {
      const further = ids.flatMap((id) => furtherOf.get(id)?.map((one) => one.id) ?? [])
      const posted = ids.filter((id) => entities.has(id) || observations.has(id))
      postings.remove(new Set([...posted, ...further]))
      for (const id of ids) {
        dropEntity(id)
        dropObservation(id)
        relations.drop(id)
      }
    },
    addEntity(row: EntitiesTable) {
      entities.set(row.id, row)
      insertSorted(listIn(named, row.name), row.id, (a, b) => a - b)
      namesBegin = undefined
      const { name, type, aliases, metadata } = row
      const others: string[] = aliases === null ? [] : JSON.parse(aliases)
      const indexed = indexNames({ name, type, aliases: others, metadata: JSON.parse(metadata) })
      postings.add(row.id, indexed.passages[0]!.searched)
    },
    addObservation({ row, indexed, further }: ReadRow) {
      observations.set(row.id, row)
      characters += row.content.length
      insertSorted(listIn(ofEntity, row.entity_id), row.id, (a, b) => a - b)
      placesOf.delete(row.entity_id)
      if (further.length > 0) furtherOf.set(row.id, further)
      for (const one of further) partOf.set(one.id, one)
      for (const [part, { searched }] of indexed.passages.entries()) {
        const id = part === 0 ? row.id : further.find((one) => one.part === part)?.id
        if (id !== undefined) postings.add(id, searched)
      }
    },
    addWords(rows: readonly SearchWordsTable[]) {
      for (const row of rows) {
        words.push(row)
        wordsById.set(row.id, row)
        termOfWord.set(row.word, row.term)
        postings.add(row.id, gramTermsOf(row.word))
        lastWord = Math.max(lastWord, row.id)
      }
      if (rows.length > 0) words.sort((a, b) => (a.word < b.word ? -1 : 1))
    },

    wordsStarting: (prefixes: readonly string[], limitEach: number): VocabularyWord[] =>
      prefixes.flatMap((prefix) => {
        const found: VocabularyWord[] = []
        for (let at = placeOfWord(prefix); words[at]?.word.startsWith(prefix) === true; at += 1) {
          if (found.length === limitEach) break
          found.push(words[at]!)
        }
        return found
      }),
    termsOf: (asked: readonly string[]) => {
      const known = new Set(asked.filter((word) => termOfWord.has(word)))
      return new Map([...known].sort().map((word) => [word, termOfWord.get(word)!] as const))
    },
    wordsOf: (ids: readonly number[]) => ids.flatMap((id) => wordsById.get(id)?.word ?? []),

    types: (limit: number) => {
      const typesOf = (kind: string, rows: Iterable<{ type: string }>) =>
        [...new Set([...rows].map(({ type }) => type))].sort().map((type) => ({ kind, type }))
      return [...typesOf('entity', entities.values()), ...typesOf('relation', relations.all())].slice(
        0,
        limit,
      )
    },
    indexedEntities: (ids: readonly number[]): IndexedEntity[] =>
      ids.flatMap((id) => {
        const row = entities.get(id)
        return row === undefined ? [] : [{ id, name: row.name, type: row.type, fields: readFields(row) }]
      }),
    /** With the number of their observations, not what else changes with these. */
    entities: (ids: readonly number[]) => ids.flatMap((id) => countedEntity(entities.get(id))),
    entitiesNamed: (names: readonly string[]) => {
      const ids = new Set(names.flatMap((name) => named.get(name) ?? []))
      return [...ids].sort((a, b) => a - b).flatMap((id) => countedEntity(entities.get(id)))
    },

    /** Whether an entity's name may begin here in a text. */
    mayBeginName: (text: string, at: number) => {
      namesBegin ??= new Set([...named.keys()].map((name) => beginningAt(name, 0)))
      return namesBegin.has(beginningAt(text, at)) || namesBegin.has(text.charCodeAt(at) << 16)
    },
    /** The place of an observation's first passage among those of its entity; they follow one another. */
    placeOf: (id: number, entityId: number) => (placesOf.get(entityId) ?? readPlaces(entityId)).get(id) ?? 0,

    /** What is current at `now`. */
    passageRows: (ids: readonly number[], now: number): PassageRow[] => {
      const rows: PassageRow[] = []
      for (const id of ids) {
        const row = observations.get(id)
        const entity = row && entities.get(row.entity_id)
        if (row === undefined || entity === undefined || row.replaced_by !== null) continue
        if (row.expires_at === null || row.expires_at > now) rows.push(toPassageRow(row, entity))
      }
      return rows
    },
    observations: (ids: readonly number[]): StoredObservation[] =>
      [...new Set(ids)]
        .sort((a, b) => a - b)
        .flatMap((id) => {
          const row = observations.get(id)
          return row === undefined ? [] : [toStoredObservation(row)]
        }),
    partsOf: (ids: readonly number[]) =>
      new Map(ids.flatMap((id) => (partOf.has(id) ? [[id, partOf.get(id)!] as const] : []))),
    furtherOf: (ids: readonly number[]): FurtherPassage[] =>
      ids.toSorted((a, b) => a - b).flatMap((id) => furtherOf.get(id) ?? []),
    countFurther: (ids: readonly number[]) =>
      ids.flatMap((id) => (furtherOf.has(id) ? [{ id, count: furtherOf.get(id)!.length }] : [])),
    around: (asked: readonly OfEntity[], { beforeMax, afterMax }: { beforeMax: number; afterMax: number }) =>
      asked.map(({ id, entityId }): Around & { id: number } => {
        const list = ofEntity.get(entityId) ?? []
        const at = placeIn(list, id)
        const next = list[at] === id ? at + 1 : at
        return {
          id,
          before: list.slice(Math.max(0, at - beforeMax), at).reverse(),
          after: list.slice(next, next + afterMax),
        }
      }),
    firstOf: (ids: readonly number[], limit: number) =>
      ids.flatMap((id) => {
        const list = ofEntity.get(id) ?? []
        return list.length === 0 ? [] : [list.slice(0, limit)]
      }),
    newestPassagesOf: (ids: readonly number[], limit: number) =>
      new Map(
        ids.flatMap((id) => {
          const newest = (ofEntity.get(id) ?? []).slice(-limit).reverse()
          const further = newest.flatMap((one) => furtherOf.get(one)?.map((part) => part.id) ?? [])
          return newest.length === 0 ? [] : [[id, Uint32Array.from([...newest, ...further])] as const]
        }),
      ),

    /** The newest first. */
    relations: (ids: readonly number[]): Relation[] =>
      relations.rowsOf(ids).flatMap((row) => {
        const [from, to] = [entities.get(row.from_id), entities.get(row.to_id)]
        return from === undefined || to === undefined ? [] : [toRelation(row, from, to)]
      }),
  }
}

/** The first two characters of a name that may stand here, or the only one, as a number. */
const beginningAt = (text: string, at: number) => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1)

/** The place of a number in an ascending list, or where it would be. */
function placeIn(list: readonly number[], wanted: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

const toPassageRow = (row: ObservationsTable, { name, type }: EntitiesTable): PassageRow => ({
  id: row.id,
  entityId: row.entity_id,
  content: row.content,
  metadata: row.metadata,
  createdAt: row.created_at,
  trueFrom: row.true_from,
  trueUntil: row.true_until,
  expiresAt: row.expires_at,
  replacedBy: row.replaced_by,
  stale: row.stale,
  name,
  type,
})
