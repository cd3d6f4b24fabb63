import type { ExportFormat } from '@loci/contract/imports'
import type { MomentOrSeq } from '@loci/contract/moments'
import type { Actor } from '../../auth/actor.ts'
import { toSeq } from '../../changes/moments.ts'
import type { Context } from '../../context.ts'
import { findEntitiesAsOf, findRelationsAsOf } from '../../graph/as-of.ts'
import { listHeldObservations, scanHeld } from '../../graph/held.repo.ts'
import { joinPieces } from '../../lib/join-pieces.ts'
import { fromIso } from '../../lib/time.ts'
import { getNextNumber } from './exports.repo.ts'
import { lineFormats, type Pages } from './line-formats.ts'

const pieceLength = 64 * 1024

/** The graph as it was, as JSON lines. Versions do not change, so it is all of one moment however long it takes. */
export function exportGraphAsOf(
  ctx: Context,
  actor: Actor,
  format: ExportFormat,
  asOf: MomentOrSeq,
): AsyncGenerator<string, void> {
  return joinPieces(writeLines(ctx, actor, format, asOf), pieceLength)
}

async function* writeLines(
  { db, dialect, now }: Context,
  actor: Actor,
  format: ExportFormat,
  asOf: MomentOrSeq,
): AsyncGenerator<string, void> {
  const { header, entity, relation } = lineFormats[format]
  const seq = await toSeq(db, actor, asOf)
  yield header(now(), await getNextNumber(db, actor))
  for await (const { keys } of scanHeld(db, actor, 'entities', { seq, order: 'number' })) {
    const states = await findEntitiesAsOf(
      db,
      actor,
      keys.map(({ id }) => id),
      seq,
    )
    for (const [id, { createdAt, updatedAt, metadata, aliases, ...state }] of states) {
      const times = { createdAt: fromIso(createdAt), updatedAt: fromIso(updatedAt) }
      const texts = {
        metadata: JSON.stringify(metadata),
        aliases: aliases === undefined ? null : JSON.stringify(aliases),
      }
      const row = { ...state, ...times, ...texts, id }
      yield* entity(row, observationsAsOf({ db, dialect }, actor, id, seq))
    }
  }
  for await (const { keys } of scanHeld(db, actor, 'relations', { seq, order: 'number' })) {
    const states = await findRelationsAsOf(
      db,
      actor,
      keys.map(({ id }) => id),
      seq,
    )
    for (const [id, { fromEntity, toEntity, type, createdAt }] of states)
      yield relation({ id, from: fromEntity.name, to: toEntity.name, type, createdAt: fromIso(createdAt) })
  }
}

async function* observationsAsOf(
  { db }: Pick<Context, 'db' | 'dialect'>,
  actor: Actor,
  entityId: number,
  seq: number,
): Pages {
  const rows = await listHeldObservations(db, actor, [entityId], seq)
  yield rows.map(({ id, content, metadata, created_at: createdAt, updated_at: updatedAt }) => ({
    ...{ id, entityId, content, metadata, createdAt, updatedAt },
  }))
}
