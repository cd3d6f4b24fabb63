import type { EntityTypeCount, EntityTypeResponse, UpdateEntityType } from '@loci/contract/entities'
import { fixedColourOf } from '@loci/contract/entity-types'
import { AppError, invalidField } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { colourType, retypeStoredEntities } from '../../memory/write/retype-entities.ts'
import { type ChangeSet, type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { findEntityType, listEntityTypes } from '../../rows/counters.repo.ts'
import { listEntityRows } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** Entities changed per transaction. */
const entitiesPerSlice = 100

export async function listTypes(ctx: Context, actor: Actor): Promise<EntityTypeCount[]> {
  return listEntityTypes(ctx.db, actor)
}

/**
 * Renames a type, by updating its entities in slices, and sets its colour. Renaming it to another type's name merges
 * the two. Throws `entity_type_not_found`, and `validation_failed` for the colour of a type that has a fixed one.
 */
export async function updateType(
  ctx: Context,
  actor: Actor,
  type: string,
  { type: name = type, colour }: UpdateEntityType,
): Promise<EntityTypeResponse> {
  const before = await requireType(ctx, actor, type)
  const isNew = name !== type && (await findEntityType(ctx.db, actor, name)) === undefined
  const own = fixedColourOf(type) === undefined ? before.colour : undefined
  const wanted = colour ?? (isNew ? own : undefined)
  if (colour !== undefined) requireColourOfItsOwn(name)
  const { retyped, sets } = name === type ? { retyped: 0, sets: [] } : await retypeAll(ctx, actor, type, name)
  if (wanted !== undefined) await writeGraph(ctx, actor, (write) => colourType(write, name, wanted))
  return {
    type: await requireType(ctx, actor, name),
    retyped,
    setIds: sets.map(({ first }) => toId('set', first)),
  }
}

async function requireType(ctx: Context, actor: Actor, type: string): Promise<EntityTypeCount> {
  const found = await findEntityType(ctx.db, actor, type)
  if (found === undefined) throw new AppError('entity_type_not_found', 'No entity has this type')
  return found
}

function requireColourOfItsOwn(type: string): void {
  if (fixedColourOf(type) === undefined) return
  throw invalidField('colour', `The colour of "${type}" is fixed`)
}

/** One set of changes, or several if another write came between two slices. */
async function retypeAll(
  ctx: Context,
  actor: Actor,
  from: string,
  to: string,
): Promise<{ retyped: number; sets: ChangeSet[] }> {
  const sets: ChangeSet[] = []
  for (let retyped = 0; ; ) {
    const slice = await writeGraph(ctx, actor, (write) => retypeSlice(write, from, to), sets.at(-1))
    if (slice.retyped === 0) return { retyped, sets }
    retyped += slice.retyped
    if (sets.at(-1)?.first === slice.set.first) sets.pop()
    sets.push(slice.set)
  }
}

async function retypeSlice(write: GraphWrite, from: string, to: string) {
  const page = { type: from, cursor: undefined, limit: entitiesPerSlice }
  const entities = await listEntityRows(write.db, write.scope, page)
  const retyped = await retypeStoredEntities(write, entities, to)
  return { retyped, set: { first: write.setSeq, last: write.lastSeq() } }
}
