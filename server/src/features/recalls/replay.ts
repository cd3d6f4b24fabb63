import type { Replay, ReplayedRow } from '@loci/contract/recalls'
import { numberOf } from '../../ground/lib/ids.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { findAuthors } from '../../memory/history/authors.repo.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { createHighlighter } from '../../search/find/hits.ts'
import { termsOf } from '../../search/match/subjects.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Recall, ToldRow } from '../../tenancy/usage/recalls.repo.ts'

type Kept = Pick<Recall, 'question' | 'at' | 'told' | 'missed' | 'entities'>

/** The rows of a recall with what they say now, and its entities that still exist. */
export async function replay(
  ctx: Context,
  actor: Actor,
  { question, at, told, missed, entities: entityIds }: Kept,
): Promise<Pick<Replay, 'rows' | 'missed' | 'entities'>> {
  const ids = [...told, ...missed].map(({ observationId }) => observationId)
  const observations = await findObservations(ctx.db, actor, ids)
  const byId = new Map(observations.map((observation) => [observation.id, observation]))
  const owners = observations.map(({ entityId }) => entityId)
  const entities = new Map(
    (await findEntitiesById(ctx.db, actor, [...new Set([...owners, ...entityIds])])).map(
      ({ id, name, type }) => [id, { id, name, type }],
    ),
  )
  const numbers = observations.map(({ id }) => numberOf('obs', id))
  const authors = await findAuthors(ctx.db, actor, 'observations', numbers)
  const highlight = createHighlighter(new Set(termsOf(question)))
  const show = async (row: ToldRow, index: number): Promise<ReplayedRow> => {
    const kept = { ...row, rank: index + 1 }
    const observation = byId.get(row.observationId)
    const entity = observation && entities.get(observation.entityId)
    if (observation === undefined || entity === undefined) return { ...kept, since: 'forgotten' }
    const since = sinceOf(observation, at)
    const by = authors.get(numberOf('obs', observation.id))
    const { content, createdAt } = observation
    return {
      ...{ ...kept, content, createdAt, entity },
      highlights: await highlight(content),
      ...(since && { since }),
      ...(by && { by }),
    }
  }
  return {
    rows: await Promise.all(told.map(show)),
    missed: await Promise.all(missed.map((row, index) => show(row, told.length + index))),
    entities: entityIds.flatMap((id) => entities.get(id) ?? []),
  }
}

function sinceOf({ replacedBy, updatedAt }: StoredObservation, at: number): ReplayedRow['since'] {
  if (replacedBy !== undefined) return 'replaced'
  return updatedAt !== undefined && fromIso(updatedAt) > at ? 'changed' : undefined
}
