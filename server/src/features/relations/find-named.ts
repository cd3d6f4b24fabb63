import { setImmediate as nextTask } from 'node:timers/promises'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { toAskedLetters } from '../../search/analyse/name-letters.ts'
import { type PostingLists, postingsOf, readLists, readOn } from '../../search/store/posting-lists.ts'
import { findIndexedSpace, type IndexedSpace } from '../../search/store/search-index.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import {
  findEntityNames,
  listNamedEntities,
  listOtherNames,
  type RelatedEntity,
  readNames,
} from './relation-search.repo.ts'
import { type Asked, isInName } from './relation-search.rules.ts'

/** Maximum number of candidates checked one by one. */
const candidatesMax = 4_000
const readFirstMax = 1_000
const readOnMax = 12_000
/** Names read at once; bounded because SQLite blocks our thread. */
const namesPerStatement = 500

/** The entities whose names contain the text; undefined if there may be thousands. */
export async function findEntitiesContaining(
  ctx: Context,
  scope: Scope,
  asked: Asked,
): Promise<RelatedEntity[] | undefined> {
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined) return []
  const candidates = await listCandidates(ctx, space, asked)
  if (candidates === undefined || candidates.length > candidatesMax) return undefined
  const named: RelatedEntity[] = []
  for (const ids of chunksOf(candidates, namesPerStatement)) {
    const entities = await listNamedEntities(ctx.db, scope, ids)
    named.push(...entities.filter(({ name }) => isInName(asked, name)))
    await nextTask()
  }
  return named
}

/** Name passages that contain the letters of the text, not necessarily consecutively. */
async function listCandidates(
  ctx: Context,
  space: IndexedSpace,
  asked: Asked,
): Promise<readonly number[] | undefined> {
  const letters = toAskedLetters(asked.name)
  if (letters === undefined) return undefined
  if ('beginning' in letters) {
    const starting = { beginning: letters.beginning, limit: candidatesMax + 1 }
    return [...(await postingsOf(ctx.dialect).readStarting(ctx.db, space, starting))]
  }
  const lists = await readLists(ctx, space, letters.all, readFirstMax)
  if (lists.size < letters.all.length) return []
  const [rarest] = [...lists].sort(([, a], [, b]) => a.count - b.count)
  if (rarest === undefined || rarest[1].count > readOnMax) return undefined
  await readOn(ctx, space, lists, [rarest[0]], readOnMax)
  return inAllWhole(lists)
}

/** The intersection of all lists that were read to their end; undefined if there are none. */
function inAllWhole(lists: PostingLists): number[] | undefined {
  const whole = [...lists.values()].filter(({ isCut }) => !isCut).map(({ ids }) => ids)
  const [shortest, ...others] = whole.sort((a, b) => a.length - b.length)
  if (shortest === undefined) return undefined
  const sets = others.map((ids) => new Set(ids))
  return [...shortest].filter((id) => sets.every((set) => set.has(id)))
}

/** Finds which entities at the ends of relations have names that contain the text. */
export type NameTest = (
  fromIds: readonly number[],
  toIds: readonly number[],
) => Promise<{ has: (id: number) => boolean }>

/** Names looked up one by one before all are read, which takes a tenth of the time per name. */
const lookedUpMax = 5_000
/** Maximum number of entities whose names are kept in memory at once. */
const namesKeptMax = 300_000

type Testing = {
  asked: Asked
  counters: { entities: number; relations: number }
  entity: number | undefined
}

/** @param isCounting all relations will be tested */
export function createNameTest(
  ctx: Context,
  scope: Scope,
  { asked, counters, entity }: Testing,
  isCounting: boolean,
): NameTest {
  // One entity may have few relations.
  let lookedUp = isCounting && entity === undefined ? counters.relations * 2 : 0
  let all: Promise<Set<number>> | undefined
  return (fromIds, toIds) => {
    lookedUp += fromIds.length + toIds.length
    if (lookedUp > lookedUpMax && counters.entities <= namesKeptMax) all ??= readAllNamed(ctx, scope, asked)
    return all ?? lookUp(ctx, scope, asked, new Set([...fromIds, ...toIds]))
  }
}

async function lookUp(
  ctx: Context,
  scope: Scope,
  asked: Asked,
  ids: ReadonlySet<number>,
): Promise<Set<number>> {
  const named = new Set<number>()
  for (const chunk of chunksOf([...ids], namesPerStatement)) {
    for (const { id, name } of await findEntityNames(ctx.db, scope, chunk)) {
      if (isInName(asked, name)) named.add(id)
    }
    await nextTask()
  }
  return named
}

const namesReadAtOnce = 2_000
const ascii = /^\p{ASCII}*$/u

/** All entities whose names contain the text. The database matches ASCII names, this code the others. */
async function readAllNamed({ db }: Context, scope: Scope, asked: Asked): Promise<Set<number>> {
  const named = new Set<number>()
  const part = ascii.test(asked.name) ? asked.name : null
  let after = 0
  for (;;) {
    const { ids, read, others, last } = await readNames(db, scope, {
      part,
      after,
      limit: namesReadAtOnce,
    })
    if (ids !== null) for (const id of ids.split(',')) named.add(Number(id))
    if (others > 0 && last !== null) {
      for (const { id, name } of await listOtherNames(db, scope, { after, last })) {
        if (isInName(asked, name)) named.add(id)
      }
    }
    if (read < namesReadAtOnce || last === null) return named
    after = last
    await nextTask()
  }
}
