import { isTold } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { jsonSize, prefixOfSize } from '../../ground/lib/json-size.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import { findObservations, listObservationsAfter } from '../../rows/observations.repo.ts'
import { listRelationsAt } from '../../rows/relations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { keepRemarks } from './fact-remarks.ts'
import type { NewNamedEntity } from './graph-part.ts'
import { type GraphPart, type Reach, toNamedRelation } from './graph-part.ts'
import { type Place, placeWithin } from './reading-position.ts'

const rowsPerRead = 200

/**
 * Adds as much of one entity as fits, starting at a place in it: its observations in order of insertion, then its
 * relations. If something is left, the part says where to continue.
 */
export async function takePiece(
  ctx: Context,
  actor: Actor,
  part: GraphPart,
  place: Place,
  reach: Reach,
): Promise<void> {
  const { name, type } = place.entity
  const piece: NewNamedEntity = { name, entityType: type, observations: [] }
  part.room -= jsonSize(piece)
  part.entities.push(piece)
  const ids: string[] = []
  part.ids.set(name, ids)
  let last = place.relation?.id ?? place.observation?.id ?? name
  for await (const content of contentsFrom(ctx, actor, place, reach)) {
    const isTaken = 'relation' in content ? takeRelation(part, content) : takeText(part, piece, content)
    if (!('relation' in content) && piece.observations.length > ids.length) {
      ids.push(content.id)
      keepRemarks(part, content)
    }
    if (isTaken !== true) {
      part.next = isTaken === false ? last : isTaken
      part.cut = name
      return
    }
    last = content.id
  }
}

type Text = Pick<StoredObservation, 'id' | 'stale' | 'until'> & { text: string; told: number }
type Content = Text | { id: string; relation: Relation }

/** The contents of an entity after a place in it, read a few hundred rows at a time. */
async function* contentsFrom(
  ctx: Context,
  actor: Actor,
  { entity, observation, relation: told }: Place,
  { read }: Reach,
): AsyncGenerator<Content, void> {
  if (told === undefined) yield* observationsFrom(ctx, actor, entity.id, observation)
  const isArriving = told !== undefined && told.fromEntityId !== entity.id
  if (!isArriving) yield* relationsFrom(ctx, actor, 'from_id', entity.id, told)
  if (read === undefined) return
  for await (const content of relationsFrom(ctx, actor, 'to_id', entity.id, isArriving ? told : undefined)) {
    if (!read.has(content.relation.fromEntityId)) yield content
  }
}

async function* observationsFrom(ctx: Context, actor: Actor, entityId: string, from: Place['observation']) {
  if (from?.told !== undefined) {
    const [begun] = await findObservations(ctx.db, actor, [from.id])
    if (begun !== undefined) yield { ...begun, text: begun.content.slice(from.told), told: from.told }
  }
  let after = from?.id
  for (;;) {
    const rows = await listObservationsAfter(ctx.db, actor, entityId, { after, limit: rowsPerRead })
    for (const row of rows) if (isTold(row, ctx.now())) yield { ...row, text: row.content, told: 0 }
    if (rows.length < rowsPerRead) return
    after = rows.at(-1)!.id
  }
}

async function* relationsFrom(
  ctx: Context,
  actor: Actor,
  end: 'from_id' | 'to_id',
  entityId: string,
  from: Relation | undefined,
) {
  let after = from
  for (;;) {
    const rows = await listRelationsAt(ctx.db, actor, end, entityId, { after, limit: rowsPerRead })
    for (const relation of rows) yield { id: relation.id, relation }
    if (rows.length < rowsPerRead) return
    after = rows.at(-1)
  }
}

/** Takes a text if there is room. A text longer than an answer is cut; returns the place where it continues. */
function takeText(
  part: GraphPart,
  { observations }: NewNamedEntity,
  { id, text, told }: Text,
): boolean | string {
  const size = jsonSize(text)
  if (size > part.room && observations.length > 0) return false
  const taken = size > part.room ? prefixOfSize(text, part.room) : text
  observations.push(taken)
  part.room -= jsonSize(taken)
  return taken.length === text.length || placeWithin(id, told + taken.length)
}

function takeRelation(part: GraphPart, { id, relation }: { id: string; relation: Relation }): boolean {
  const named = toNamedRelation(relation)
  if (jsonSize(named) > part.room) return false
  part.room -= jsonSize(named)
  part.relations.set(id, named)
  return true
}
