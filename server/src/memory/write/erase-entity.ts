import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { aliasesOf } from '../../rows/aliases.repo.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import { operationNumbers } from '../../rows/operations.ts'
import { findFitting, findSetRange, listFitting } from '../log/log.repo.ts'
import { findCurrent, findEverNamed, findLastPast } from '../versions/versions.repo.ts'
import {
  type ErasedIds,
  eraseVersionsOf,
  hasVersionFrom,
  listPastAliases,
  listPastAliasesSince,
  listPastNames,
  setPastAliases,
} from './erase.writes.repo.ts'
import { findConcerning } from './proposals/proposals.repo.ts'
import { deleteProposals } from './proposals/proposals.writes.repo.ts'
import { removeEntities } from './remove-entities.ts'
import type { GraphWrite } from './write-graph.ts'

/**
 * Permanently erases an entity with everything that ever belonged to it and the entities merged into
 * it: current and past rows, and their search data. The log keeps the fact, time and author of the
 * erasure. Returns the numbers of what was erased. Throws `entity_not_found`.
 */
export async function eraseStoredEntity(write: GraphWrite, id: number): Promise<ErasedIds> {
  const { db, scope } = write
  const stored = await findEntity(db, scope, toId('ent', id))
  if (stored === undefined && !(await findLastPast(db, scope, 'entities', [id])).has(id))
    throw new AppError('entity_not_found', 'Entity not found')
  const aliases = new Set([
    ...(stored?.aliases ?? []),
    ...(await listPastAliases(db, scope, id)).flatMap(aliasesOf),
  ])
  const names = [
    ...(stored === undefined ? [] : [stored.name]),
    ...(await listPastNames(db, scope, id)).map(({ name }) => name),
    ...aliases,
  ]
  if (stored !== undefined) await removeEntities(write, [stored])
  await eraseLentNames(write, id, aliases)
  const erased: ErasedIds = { entities: [], observations: [], relations: [], names }
  const entities = [id, ...(await listMerged(write, id, [...aliases]))]
  for (const entity of entities) {
    await eraseVersionsOf(db, scope, entity, erased)
  }
  await deleteProposals(db, scope, await findConcerning(db, scope, entities))
  write.record({ operation: 'entity_erased', subjectId: id })
  return erased
}

/**
 * Entities that had one of these names and were merged into entity `id`, except by merges that were
 * undone.
 */
async function listMerged(write: GraphWrite, id: number, names: readonly string[]): Promise<number[]> {
  const { db, scope } = write
  const merged: number[] = []
  // Newest first: an entity was merged after those that it had absorbed.
  for (const { subjectId, setSeq } of (await listMergesOf(write, names)).toReversed()) {
    const set = await findSetRange(db, scope, setSeq)
    if (set !== undefined && (await hasVersionFrom(db, scope, [id, ...merged], set))) merged.push(subjectId)
  }
  return merged
}

/** The merges of entities with these names, in order. */
async function listMergesOf({ db, scope }: GraphWrite, names: readonly string[]) {
  const ids: number[] = []
  for (const name of names) ids.push(...(await findEverNamed(db, scope, name)))
  const there = await findCurrent(db, scope, 'entities', ids)
  const ended = [...(await findLastPast(db, scope, 'entities', ids)).values()].filter(
    ({ id }) => !there.has(id),
  )
  const endings = ended.map(({ until }) => until ?? 0)
  const changes = await findFitting(db, scope, endings, {})
  return changes.filter(({ operation }) => operation === 'entity_merged')
}

/**
 * Removes the names of an entity from the past aliases of entities that it was merged into, where the merge
 * was undone. `aliases` are its own aliases, which a merge hands on too.
 */
async function eraseLentNames(write: GraphWrite, id: number, aliases: ReadonlySet<string>): Promise<void> {
  const past = await listPastNames(write.db, write.scope, id)
  const names = new Set([...past.map(({ name }) => name), ...aliases])
  for (const setSeq of await listMerges(
    write,
    id,
    past.map(({ until }) => until),
  )) {
    for (const target of await listUpdated(write, setSeq)) await removeNames(write, target, setSeq, names)
  }
}

/** The change sets that merged the entity into another one. */
async function listMerges({ db, scope }: GraphWrite, id: number, endings: number[]): Promise<number[]> {
  const operations = [operationNumbers.entity_merged]
  const merges = await findFitting(db, scope, endings, { operations })
  return merges.filter(({ subjectId }) => subjectId === id).map(({ setSeq }) => setSeq)
}

/** The entities that a change set updated. */
async function listUpdated({ db, scope }: GraphWrite, setSeq: number): Promise<number[]> {
  const range = await findSetRange(db, scope, setSeq)
  if (range === undefined) return []
  const operations = [operationNumbers.entity_updated]
  const updated = await listFitting(
    db,
    scope,
    { after: range.first - 1, before: range.last + 1 },
    { operations },
  )
  return updated.map(({ subjectId }) => subjectId)
}

/** A target that still has one of the names keeps it: the merge was not undone. */
async function removeNames(
  { db, scope }: GraphWrite,
  id: number,
  since: number,
  names: ReadonlySet<string>,
): Promise<void> {
  const current = (await findCurrent(db, scope, 'entities', [id])).get(id)
  const kept = new Set(aliasesOf(current?.aliases ?? null))
  for (const version of await listPastAliasesSince(db, scope, { id, since })) {
    const before = aliasesOf(version.aliases)
    const after = before.filter((alias) => !names.has(alias) || kept.has(alias))
    if (after.length === before.length) continue
    const aliases = after.length === 0 ? null : JSON.stringify(after)
    await setPastAliases(db, scope, { id, since: version.since, aliases })
  }
}
