import { createHash } from 'node:crypto'
import type { ProposalEvent } from '@loci/contract/proposals'
import { everyEvent } from '@loci/contract/webhooks'
import { dialectOf } from '../../../store/dialect-of.ts'
import type { Context } from '../../../tenancy/context.ts'
import { announceNews } from '../../../tenancy/news/announce-news.ts'
import type { Scope } from '../../../tenancy/scope.ts'

const endpointsMax = 1_000

/**
 * Queues the news of a proposal for the webhooks that want it, in the transaction that makes it true, and tells open
 * connections after the commit. The change log, from which both are fed otherwise, is read by everybody, and proposals
 * are not in it.
 */
export async function queueNews(
  { db, newId, changes }: Pick<Context, 'db' | 'newId' | 'changes'>,
  { accountId, spaceId }: Scope,
  { event, proposalId, at }: { event: ProposalEvent; proposalId: number; at: number },
): Promise<void> {
  await announceNews({ db, changes }, { accountId, spaceId })
  const endpoints = await db
    .selectFrom('webhooks')
    .select(['id', 'events', 'spaces'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .limit(endpointsMax)
    .execute()
  const wanting = endpoints.filter(({ events, spaces }) => {
    const wanted: string[] = JSON.parse(events)
    const isHere = spaces === null || (JSON.parse(spaces) as number[]).includes(spaceId)
    return isHere && (wanted.includes(everyEvent) || wanted.includes(event))
  })
  if (wanting.length === 0) return
  const hash = createHash('sha256').update(`${accountId} ${event} ${proposalId}`).digest('base64url')
  const rows = wanting.map(({ id }) => ({
    account_id: accountId,
    webhook_id: id,
    id: newId('dlv'),
    event_id: `evt_${hash.slice(0, 22)}`,
    event,
    space_id: spaceId,
    seq: proposalId,
    status: 'pending',
    tries: 0,
    attempts: '[]',
    answer: null,
    next_attempt_at: at,
    created_at: at,
  }))
  await dialectOf(db).insertRows(db, 'webhook_deliveries', rows)
  await db
    .updateTable('webhooks')
    .set({ retry_at: at })
    .where('account_id', '=', accountId)
    .where(
      dialectOf(db).isOneOf(
        'id',
        wanting.map(({ id }) => id),
      ),
    )
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '>', at)]))
    .execute()
}
