import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { aliasesOf } from '../../rows/aliases.repo.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import { findFitting, findSetRange } from '../log/log.repo.ts'
import { findCurrent, findEverNamed, findLastPast } from '../versions/versions.repo.ts'
import {
  type ErasedIds,
  eraseVersionsOf,
  hasVersionFrom,
  listPastAliases,
  listPastNames,
} from './erase.writes.repo.ts'
import { eraseLentNames } from './erase-lent-names.ts'
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
