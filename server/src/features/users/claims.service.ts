import type { ClaimedMemory } from '@loci/contract/auth'
import { AppError } from '../../ground/errors/app-error.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type CopiedIds, copyConversations } from '../conversations/copy-conversations.ts'
import { exportGraph } from '../exports/exports.service.ts'
import { startImport } from '../imports/imports.service.ts'
import { spool } from '../imports/open-import-file.ts'
import * as accounts from './accounts.repo.ts'
import { claimNotFound, requireClaimed } from './claim-link.ts'
import { endAccount } from './remove-account.ts'

/** Attempts to copy the memory while agents may write to it, before giving up. */
const copiesMax = 5

/** Copies unclaimed memory into the caller's account, and deletes the unclaimed account. Throws `claim_not_found`. */
export async function claimMemory(ctx: Context, actor: Actor, claim: string): Promise<ClaimedMemory> {
  const { accountId } = await requireClaimed(ctx, claim)
  await transact(ctx, ({ db }) => accounts.liftLimits(db, actor.accountId))
  const source = actorOn({ kind: 'local', accountId, userId: '', role: 'owner' })
  const sum: ClaimedMemory = { entities: 0, observations: 0, relations: 0 }
  for (let attempts = 0; attempts < copiesMax; attempts++) {
    const { seq } = await getCounters(ctx.db, source)
    const copies = await copyConversations(ctx, source, actor)
    const copied = await copyMemory(ctx, source, actor, copies)
    for (const key of ['entities', 'observations', 'relations'] as const) sum[key] += copied[key].created
    if (await endUnclaimed(ctx, source, seq, actor.accountId)) return sum
  }
  throw new AppError(
    'import_conflict',
    'Agents are writing to this memory. Try again when they have finished.',
  )
}

async function copyMemory(ctx: Context, source: Actor, target: Actor, ids: CopiedIds) {
  const file = await spool(ctx, withCopiedSources(exportGraph(ctx, source, 'loci'), ids))
  const { end } = await startImport(ctx, target, file)
  const report = await end
  if (report.state === 'finished') return report
  throw new AppError('import_conflict', 'Not all of the memory was taken over. Open the link again.')
}

/** Deletes the unclaimed account, unless something was written to it since `seq`. */
async function endUnclaimed(ctx: Context, source: Actor, seq: number, heir: number): Promise<boolean> {
  return transact(ctx, async (inner) => {
    const { db } = inner
    await lockAccount(db, source.accountId)
    if ((await getCounters(db, source)).seq !== seq) return false
    if (!(await accounts.markClaimed(db, source.accountId))) throw claimNotFound()
    await endAccount(inner, source.accountId)
    await accounts.makeLocal(db, heir)
    return true
  })
}

/** Where a fact says which conversation and turn it is from; within a text of a fact its quotes would be escaped. */
const idInSource = /"(conversationId|turnId)":"(\w+)"/g

/** An export whose facts name the copies of the conversations that they are from. */
async function* withCopiedSources(
  pieces: AsyncIterable<string | Buffer>,
  ids: CopiedIds,
): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece.toString()
    const end = text.lastIndexOf('\n') + 1
    yield renamed(text.slice(0, end), ids)
    rest = text.slice(end)
  }
  yield renamed(rest, ids)
}

const renamed = (text: string, ids: CopiedIds) =>
  text.replace(idInSource, (found, key: string, id: string) => {
    const copy = ids.get(id)
    return copy === undefined ? found : `"${key}":"${copy}"`
  })
