import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { analyseSteps, besideCalls } from './analyse-stored.ts'
import { applySteps } from './apply-steps.ts'
import { findState, type GraphState } from './counters.writes.repo.ts'
import type { Steps } from './row-changes.ts'
import type { AnalysedTexts } from './to-index.ts'
import { type GraphReader, type GraphWrite, writeGraph } from './write-graph.ts'

/**
 * Runs a write that applies steps and then `finish`. The steps are planned, and what they return to the index is
 * analysed, before the write begins, so that other writers do not wait for it. If the graph has changed since, they are
 * planned anew in the write. Throws what `plan` throws.
 */
export async function writePlanned<T>(
  ctx: Context,
  actor: Actor,
  plan: (reader: GraphReader) => Promise<Steps>,
  finish: (write: GraphWrite, steps: Steps) => T | Promise<T>,
): Promise<T> {
  const ahead = ctx.db.isTransaction ? undefined : await besideCalls(actor, () => planAhead(ctx, actor, plan))
  return writeGraph(ctx, actor, async (write) => {
    const steps = ahead !== undefined && isUnchanged(write, ahead.state) ? ahead.steps : await plan(write)
    await applySteps(write, steps, { analysed: ahead?.analysed })
    return finish(write, steps)
  })
}

type Ahead = { state: GraphState; steps: Steps; analysed: AnalysedTexts }

/** Undefined if nothing could be planned: a write in between can be the reason, so the write finds out. */
async function planAhead(
  { db }: Context,
  { accountId, spaceId }: Actor,
  plan: (reader: GraphReader) => Promise<Steps>,
): Promise<Ahead | undefined> {
  const scope = { accountId, spaceId }
  const state = await findState(db, scope)
  const steps = await plan({ db, scope }).catch(() => undefined)
  if (state === undefined || steps === undefined) return undefined
  return { state, steps, analysed: await analyseSteps(db, steps) }
}

const isUnchanged = ({ state, lastSeq }: GraphWrite, before: GraphState) =>
  lastSeq() === before.seq && isDeepStrictEqual(state, before)
