import { aliasesOf } from '../../rows/aliases.repo.ts'
import { operationNumbers } from '../../rows/operations.ts'
import { findFitting, findSetRange, listFitting } from '../log/log.repo.ts'
import { findCurrent } from '../versions/versions.repo.ts'
import { listPastAliasesSince, listPastNames, setPastAliases } from './erase.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'

/**
 * Removes the names of an entity from the past aliases of entities that it was merged into, where the merge
 * was undone. `aliases` are its own aliases, which a merge hands on too.
 */
export async function eraseLentNames(
  write: GraphWrite,
  id: number,
  aliases: ReadonlySet<string>,
): Promise<void> {
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
