import { type Role, reachOfRole } from '@loci/contract/rights'
import { AppError } from '../../ground/errors/app-error.ts'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import { acceptStored } from '../../memory/write/proposals/decide-proposal.ts'
import { forgetDecided } from '../../memory/write/proposals/forget-decided.ts'
import {
  findProposersRole,
  listAutoAccepting,
  listOldProposals,
  type StoredProposal,
} from '../../memory/write/proposals/proposals.repo.ts'
import { actorOn } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** How long decided proposals are listed; what was accepted stays in the history. */
const decidedKeptDays = 30
const rowsPerSlice = 50

/** Once an hour: accepts proposals that waited as long as their space says, and forgets those decided long ago. */
export const createProposalsSweep = (ctx: Context): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'proposals',
    everyMs: hourMs,
    run: (goOn) => sweepProposals(ctx, goOn),
    failure: 'old proposals could not be accepted or forgotten',
  })

/** Runs one round, until nothing is left or `goOn`, called before each slice, returns false. */
export async function sweepProposals(ctx: Context, goOn: GoOn = async () => true): Promise<void> {
  for (let after: Scope = { accountId: 0, spaceId: 0 }; ; ) {
    if (!(await goOn())) return
    const spaces = await listAutoAccepting(ctx.db, after, rowsPerSlice)
    for (const { days, ...scope } of spaces) await acceptOld(ctx, scope, Number(days), goOn)
    if (spaces.length < rowsPerSlice) break
    after = spaces.at(-1)!
  }
  await forgetDecided(ctx, ctx.now() - decidedKeptDays * dayMs, goOn)
}

/** What cannot be applied any more keeps waiting for a person. */
async function acceptOld(ctx: Context, scope: Scope, days: number, goOn: GoOn): Promise<void> {
  const at = ctx.now() - days * dayMs
  const server = actorOn({ kind: 'local', accountId: scope.accountId, userId: '', role: 'owner' }, scope)
  const note = `Accepted by itself after ${days} ${days === 1 ? 'day' : 'days'}`
  for (let after = 0; await goOn(); ) {
    const due = await listOldProposals(ctx.db, scope, { after, at, limit: rowsPerSlice })
    for (const proposal of due) {
      if (!(await mayStillWrite(ctx, scope, proposal))) continue
      await acceptStored(ctx, { ...server, client: 'loci review' }, proposal.id, { note }).catch(
        ignoreRefusals,
      )
    }
    if (due.length < rowsPerSlice) return
    after = due.at(-1)!.id
  }
}

/** Nobody looks at it, so whoever lost the right to write, or the key to do it, has to be trusted by a person. */
async function mayStillWrite(
  { db, now }: Context,
  { accountId }: Scope,
  proposal: StoredProposal,
): Promise<boolean> {
  const role = await findProposersRole(db, accountId, proposal, now())
  return role !== undefined && reachOfRole(role as Role, 'memory:write') !== undefined
}

function ignoreRefusals(error: unknown): void {
  if (!(error instanceof AppError) || error.status >= 500) throw error
}
