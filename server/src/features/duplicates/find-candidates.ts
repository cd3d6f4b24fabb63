import { pagesById } from '../../ground/lib/all-pages.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { createSharedKeys, type SharedKeys } from '../../ground/lib/shared-keys.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { compareNames } from './compare-names.rules.ts'
import {
  findNamedByNumber,
  listNamedPage,
  listPairsRelated,
  listRelationTypesInUse,
  type NamedRow,
  type Pair,
} from './duplicates.repo.ts'
import { keysOf } from './name-keys.rules.ts'
import { saysSame } from './same-as.rules.ts'

/** Two entities that could be the same thing, judging by their names or a relation. */
export type Candidate = { pair: Pair; score: number }

const entitiesPerPage = 500
/** A pass over this many entities needs up to about 50 MB for its keys. */
const entitiesPerPass = 200_000
const aliasesMax = 20
/** A key shared by more entities says nothing. */
const closeMax = 12
const looseMax = 8
const pairsMax = 20_000
const pairsPerChunk = 250

const saidTypesMax = 20
const saidPerType = 100
/** Equal to a name that differs by a few letters. */
const saidScore = 0.65

/** Pairs connected by a relation such as `also_known_as`. */
export async function findSaidPairs(db: Db, scope: Scope): Promise<Candidate[]> {
  const types = (await listRelationTypesInUse(db, scope)).filter(saysSame).slice(0, saidTypesMax)
  const candidates: Candidate[] = []
  for (const type of types) {
    const pairs = await listPairsRelated(db, scope, type, saidPerType)
    candidates.push(...pairs.map((pair) => ({ pair, score: saidScore })))
  }
  return candidates
}

/**
 * Pairs of entities with similar names, the most likely first, at most `limit`. Reads each entity once per pass and
 * compares only names that share a key, so the work grows with the number of entities, not of pairs. Yields to other
 * calls in between.
 */
export async function findAlikePairs(
  db: Db,
  scope: Scope,
  { entities, limit }: { entities: number; limit: number },
): Promise<Candidate[]> {
  const parts = Math.ceil(entities / entitiesPerPass)
  const pairs = new Set<string>()
  for (let part = 0; part < parts; part += 1) await collectPairs(db, scope, { part, parts }, pairs)
  const candidates: Candidate[] = []
  for (const texts of chunksOf([...pairs], pairsPerChunk)) {
    const chunk = texts.map(toPair)
    const named = await findNamedByNumber(db, scope, [...new Set(chunk.flat())])
    for (const pair of chunk) {
      await breathe()
      const match = compare(named.get(pair[0]), named.get(pair[1]))
      if (match !== undefined) candidates.push({ pair, score: match.score })
    }
  }
  return candidates.sort((a, b) => b.score - a.score || b.pair[1] - a.pair[1]).slice(0, limit)
}

const compare = (one: NamedRow | undefined, other: NamedRow | undefined) =>
  one && other && compareNames(one, other)

const toPair = (text: string): Pair => {
  const [first, second] = text.split(' ').map(Number)
  return [first!, second!]
}

async function collectPairs(
  db: Db,
  scope: Scope,
  ofKeys: { part: number; parts: number },
  pairs: Set<string>,
): Promise<void> {
  const [close, loose] = [createSharedKeys(ofKeys), createSharedKeys(ofKeys)]
  for await (const page of pagesById(
    entitiesPerPage,
    (at) => listNamedPage(db, scope, at),
    ({ id }) => id,
  )) {
    for (const entity of page) {
      await breathe()
      addKeys(close, loose, entity)
    }
  }
  await addPairs(pairs, close, closeMax)
  await addPairs(pairs, loose, looseMax)
}

function addKeys(close: SharedKeys, loose: SharedKeys, { id, name, aliases }: NamedRow): void {
  for (const text of [name, ...aliases.slice(0, aliasesMax)]) {
    const keys = keysOf(text)
    for (const key of keys.close) close.add(key, id)
    for (const key of keys.loose) loose.add(key, id)
  }
}

async function addPairs(pairs: Set<string>, keys: SharedKeys, sizeMax: number): Promise<void> {
  for await (const group of keys.groups(sizeMax)) {
    await breathe()
    for (const [i, second] of group.entries()) {
      for (const first of group.slice(0, i)) {
        if (pairs.size >= pairsMax) return
        pairs.add(`${first} ${second}`)
      }
    }
  }
}
