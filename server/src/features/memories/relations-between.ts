import { listRelationsAmong } from '../../rows/traversal.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { relationInLine } from './in-line.ts'
import { quote, shorten } from './not-found.ts'

type End = { id: string; name: string }

const relationsTold = 5

/** A sentence naming the relations between two entities, in either direction, for a caller who named another one. */
export async function describeRelationsBetween(
  ctx: Context,
  scope: Scope,
  from: End,
  to: End,
): Promise<string> {
  const ids = [...new Set([from.id, to.id])]
  const among = await listRelationsAmong(ctx.db, scope, { ids, limit: relationsTold * 2 })
  const between = among.filter(
    ({ fromEntityId, toEntityId }) => from.id === to.id || fromEntityId !== toEntityId,
  )
  if (between.length === 0) return `No relation connects ${quote(from.name)} and ${quote(to.name)}.`
  const told = between.slice(0, relationsTold).map(({ fromEntityId, relationType }) => {
    const [source, target] = fromEntityId === from.id ? [from, to] : [to, from]
    return relationInLine({
      from: shorten(source.name),
      relationType: shorten(relationType),
      to: shorten(target.name),
    })
  })
  return `There is: ${told.join('; ')}.`
}
