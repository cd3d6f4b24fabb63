import { jsonSize } from '../../ground/lib/json-size.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { GraphPart } from './graph-part.ts'
import { findReceipts } from './receipts.ts'

/** `place`: counted from 1, among the observations of its entity in this answer. */
export type SourceOfFact = { entityName: string; place: number; id: string; by?: string; source?: string }

/**
 * Who wrote the observations of a part and where they are from, as far as they fit; unless it is asked for, only of
 * those that others wrote and that have a source.
 */
export async function listSources(
  ctx: Context,
  actor: Actor,
  part: GraphPart,
  isAsked: boolean,
): Promise<{ sources?: SourceOfFact[] }> {
  const { writers, sources } = await findReceipts(ctx, actor, [...part.ids.values()].flat(), isAsked)
  const told: SourceOfFact[] = []
  for (const [entityName, ids] of part.ids) {
    for (const [index, id] of ids.entries()) {
      const [by, source] = [writers.get(id), sources.get(id)]
      if (source === undefined && !(isAsked && by !== undefined)) continue
      const one = { entityName, place: index + 1, id, ...(by && { by }), ...(source && { source }) }
      part.room -= jsonSize(one)
      if (part.room < 0) return { sources: told }
      told.push(one)
    }
  }
  return told.length === 0 ? {} : { sources: told }
}
