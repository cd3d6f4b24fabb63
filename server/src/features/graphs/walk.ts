import { setImmediate as nextTask } from 'node:timers/promises'
import type { Cursor } from '../../ground/lib/cursors.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { listEntitiesByDegree } from '../../rows/entities.repo.ts'
import { type EdgesFound, listSteps } from '../../rows/traversal.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** Most relations read for one level of a traversal. */
export const stepsMax = 20_000
export const seedsPerRound = 20

/** Entities found so far, nearest first; `truncated` if the limit excluded any. */
export type Walk = { found: Set<string>; limit: number; truncated: boolean }

export const newWalk = (limit: number): Walk => ({ found: new Set(), limit, truncated: false })

/** The most connected entities with their neighbourhoods, up to the limit. */
export async function walkFromHubs(
  ctx: Context,
  actor: Actor,
  { limit, depth }: { limit: number; depth: number },
): Promise<Walk> {
  const walk = newWalk(limit)
  let cursor: Cursor | undefined
  while (!walk.truncated) {
    const seeds: StoredEntity[] = await listEntitiesByDegree(ctx.db, actor, { cursor, limit: seedsPerRound })
    const last = seeds.at(-1)
    if (last === undefined) break
    cursor = { at: last.degree, id: numberOf('ent', last.id) }
    const fresh = seeds.map((seed) => seed.id).filter((id) => !walk.found.has(id))
    await spread(walk, fresh, depth, (ids, limitOfSteps) => listSteps(ctx.db, actor, ids, limitOfSteps))
  }
  return walk
}

/** Lists steps out of some entities, at most about `limit`. */
type Step = (entityIds: readonly string[], limit: number) => Promise<EdgesFound>

/** Breadth first from `start` to `depth`. */
export async function spread(walk: Walk, start: string[], depth: number, step: Step): Promise<void> {
  let frontier = visit(walk, start)
  for (let level = 1; level <= depth && frontier.length > 0 && !walk.truncated; level++) {
    frontier = await advance(walk, frontier, step)
    await nextTask()
  }
}

const stepsMin = 100
const stepsGrowth = 8

/** Reads more and more steps until the walk is full: a hub has many times as many. Returns the entities found. */
async function advance(walk: Walk, frontier: readonly string[], step: Step): Promise<string[]> {
  const added: string[] = []
  // Some lead to entities found before: one back from each, and further relations between the same two.
  const enough = stepsMin + frontier.length + 2 * (walk.limit - walk.found.size)
  for (let limit = Math.min(enough, stepsMax); ; limit = Math.min(limit * stepsGrowth, stepsMax)) {
    const { edges, isCut } = await step(frontier, limit)
    const found = visit(
      walk,
      edges.map(({ to }) => to),
    )
    added.push(...found)
    if (walk.truncated || !isCut || limit === stepsMax) return added
  }
}

/** Adds new entities, up to the limit, and returns them. */
function visit(walk: Walk, ids: string[]): string[] {
  const added: string[] = []
  for (const id of ids) {
    if (walk.found.has(id)) continue
    if (walk.found.size === walk.limit) {
      walk.truncated = true
      break
    }
    walk.found.add(id)
    added.push(id)
  }
  return added
}
