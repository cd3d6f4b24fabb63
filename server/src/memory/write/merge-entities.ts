import { isTold } from '@loci/contract/observations'
import { toId } from '../../ground/lib/ids.ts'
import { aliasesOf } from '../../rows/aliases.repo.ts'
import { observationFields, toStoredObservation } from '../../rows/codec.ts'
import type { Versions } from '../../rows/columns.ts'
import { findObservationsByContent } from '../../rows/observations.repo.ts'
import { findRelationsBetween } from '../../rows/relations.repo.ts'
import { listOwned } from '../history/rows-of-entity.repo.ts'
import { applySteps } from './apply-steps.ts'
import type { Step } from './row-changes.ts'
import type { GraphWrite } from './write-graph.ts'

/**
 * Merges two entities: observations and relations of `source` move to `target`, except duplicates and
 * relations between the two; the names of `source` become aliases of `target`.
 */
export async function mergeStoredEntities(
  write: GraphWrite,
  source: Versions['entities'],
  target: Versions['entities'],
): Promise<void> {
  const aliases = [...aliasesOf(target.aliases), source.name, ...aliasesOf(source.aliases)]
  await applySteps(
    write,
    {
      entities: [
        { before: target, after: { ...target, aliases: JSON.stringify([...new Set(aliases)]) } },
        { before: source, after: undefined },
      ],
      observations: await planObservations(write, source.id, target),
      relations: await planRelations(write, source.id, target.id),
    },
    { ending: 'entity_merged' },
  )
}

async function planObservations(
  write: GraphWrite,
  source: number,
  target: Versions['entities'],
): Promise<Step<'observations'>[]> {
  const rows = await listOwned(write.db, write.scope, 'observations', 'entity_id', source)
  const known = await listKnownTexts(write, rows, target)
  return rows.map((before) => {
    // An observation that carries more than its text is no twin.
    const isTwin = known.has(before.content) && observationFields.isEmpty(before)
    return { before, after: isTwin ? undefined : { ...before, entity_id: target.id } }
  })
}

/** The texts of these observations that `target` tells, too. Costs as much as the smaller of the two. */
async function listKnownTexts(
  { db, scope, at }: GraphWrite,
  rows: readonly Versions['observations'][],
  { id, observations_count }: Versions['entities'],
): Promise<Set<string>> {
  const found =
    observations_count <= rows.length
      ? (await listOwned(db, scope, 'observations', 'entity_id', id)).map(toStoredObservation)
      : await findObservationsByContent(
          db,
          scope,
          rows.map(({ content }) => ({ entityId: toId('ent', id), content })),
        )
  return new Set(found.filter((one) => isTold(one, at)).map(({ content }) => content))
}

async function planRelations(
  { db, scope }: GraphWrite,
  source: number,
  target: number,
): Promise<Step<'relations'>[]> {
  const rows = [
    ...(await listOwned(db, scope, 'relations', 'from_id', source)),
    ...(await listOwned(db, scope, 'relations', 'to_id', source)),
  ]
  const moved = new Map(
    rows.map((before) => [before.id, { before, after: moveEnds(before, source, target) }]),
  )
  const wanted = [...moved.values()].map(({ after }) => endsOf(after))
  const found = await findRelationsBetween(db, scope, wanted)
  const taken = new Set(found.map((row) => `${row.fromEntityId} ${row.toEntityId} ${row.type}`))
  return [...moved.values()].map(({ before, after }) => {
    const { fromId, toId, type } = endsOf(after)
    const key = `${fromId} ${toId} ${type}`
    const isBetween = after.from_id === after.to_id && before.from_id !== before.to_id
    if (isBetween || taken.has(key)) return { before, after: undefined }
    taken.add(key)
    return { before, after }
  })
}

const moveEnds = (row: Versions['relations'], source: number, target: number): Versions['relations'] => ({
  ...row,
  from_id: row.from_id === source ? target : row.from_id,
  to_id: row.to_id === source ? target : row.to_id,
})

const endsOf = ({ from_id, to_id, type }: Versions['relations']) => ({
  fromId: toId('ent', from_id),
  toId: toId('ent', to_id),
  type,
})
