import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { findCurrent, findEverNamed, findLastPast } from '../../memory/versions/versions.repo.ts'
import type { Versions } from '../../rows/columns.ts'
import { findNamed } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** An entity that can be erased; `isDeleted` if only history has it. */
export type Erasable = { id: string; name: string; type: string; isDeleted: boolean }

/**
 * The entities with these names and ids, deleted ones too. An alias may stand for only a part of its entity, so it is
 * refused. Throws `entity_not_found`.
 */
export async function findErasable(
  ctx: Context,
  actor: Actor,
  { names, ids }: { names: readonly string[]; ids: readonly string[] },
): Promise<Erasable[]> {
  const found = new Map<string, Erasable>()
  for (const name of names)
    for (const entity of await findByName(ctx, actor, name)) found.set(entity.id, entity)
  for (const id of ids) {
    const number = toNumber('ent', id)
    const [entity] = number === undefined ? [] : await readLast(ctx, actor, [number])
    if (entity === undefined) throw new AppError('entity_not_found', `No entity has or had the id ${id}.`)
    found.set(id, entity)
  }
  return [...found.values()]
}

async function findByName(ctx: Context, actor: Actor, name: string): Promise<Erasable[]> {
  const living = (await findNamed(ctx.db, actor, [name])).get(name)
  if (living !== undefined && living.name !== name) {
    const other = `${JSON.stringify(living.name)} (${living.id})`
    const words = `${JSON.stringify(name)} is another name of ${other}. Erase that entity, by its name or id.`
    throw new AppError('entity_not_found', words)
  }
  const last = await readLast(ctx, actor, await findEverNamed(ctx.db, actor, name))
  const named = last.filter((entity) => entity.name === name)
  if (named.length > 0) return named
  throw new AppError('entity_not_found', `No entity is or was named ${JSON.stringify(name)}.`)
}

/** The entities as they are, or were last; living ones first. */
async function readLast({ db }: Context, actor: Actor, ids: readonly number[]): Promise<Erasable[]> {
  const current = await findCurrent(db, actor, 'entities', ids)
  const past = await findLastPast(
    db,
    actor,
    'entities',
    ids.filter((id) => !current.has(id)),
  )
  const toErasable = ({ id, name, type }: Versions['entities'], isDeleted: boolean) => ({
    id: toId('ent', id),
    name,
    type,
    isDeleted,
  })
  return [
    ...[...current.values()].map((row) => toErasable(row, false)),
    ...[...past.values()].map((row) => toErasable(row, true)),
  ]
}
