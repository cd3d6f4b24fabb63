import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { GraphPart } from './graph-part.ts'
import { quote } from './not-found.ts'
import { findOtherWriters } from './other-writers.ts'

const entitiesTold = 8
const placesTold = 12

/** Which observations of a part others wrote, by their places in it, as a sentence; none if there are none. */
export async function noticeOfWriters(ctx: Context, actor: Actor, { ids }: GraphPart): Promise<string[]> {
  const writers = await findOtherWriters(ctx, actor, [...ids.values()].flat())
  if (writers.size === 0) return []
  const told = [...ids].flatMap(([name, own]) => {
    const places = Map.groupBy(own.keys(), (index) => writers.get(own[index]!))
    places.delete(undefined)
    const parts = [...places].map(([writer, indexes]) => `${placesOf(indexes, own.length)} by ${writer}`)
    return parts.length === 0 ? [] : [`${quote(name)}: ${parts.join(', ')}`]
  })
  const others = told.length > entitiesTold ? `; and of ${told.length - entitiesTold} more entities` : ''
  return [`Observations by others: ${told.slice(0, entitiesTold).join('; ')}${others}.`]
}

function placesOf(indexes: readonly number[], all: number): string {
  if (indexes.length === all) return 'all'
  const told = indexes.slice(0, placesTold).map((index) => index + 1)
  return indexes.length > placesTold
    ? `${told.join(' ')} and ${indexes.length - placesTold} more`
    : told.join(' ')
}
