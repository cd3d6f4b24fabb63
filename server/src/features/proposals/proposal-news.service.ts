import type { ProposalEvent, ProposalNews, ProposalStatus } from '@loci/contract/proposals'
import type { ProposalMessage } from '@loci/contract/realtime'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { findActorsByNumber } from '../../memory/log/log.repo.ts'
import {
  findNextNumber,
  listNewsAfter,
  type StoredNews,
} from '../../memory/write/proposals/proposals.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { isReviewer, visibleTo } from './proposals.service.ts'

const newsPerPage = 100

/** A message, and the caller whose proposal it is about. */
export type News = { message: ProposalMessage; number: number } & Pick<StoredNews, 'kind' | 'ref' | 'userId'>

/** Where news begin that are yet to come. */
export async function newestNews({ db }: Context, { accountId }: Scope): Promise<number> {
  return ((await findNextNumber(db, accountId)) ?? 1) - 1
}

/** The next news of a space after the number `after`, in order; empty if there are none. */
export async function readNews({ db }: Context, scope: Scope, after: number): Promise<News[]> {
  const stored = await listNewsAfter(db, scope, after, newsPerPage)
  if (stored.length === 0) return []
  const numbers = [...new Set(stored.map(({ actorId }) => actorId))]
  const actors = await findActorsByNumber(db, scope.accountId, numbers)
  return stored.map(({ number, id, status, at, actorId, kind, ref, userId }) => {
    const by = actors.get(actorId) ?? { kind: 'system', id: '', name: '' }
    const payload: ProposalNews = { id: toId('prp', id), status, by, at: toIso(at) }
    const type = eventOf[status]
    return {
      message: { id: `evt_${payload.id}_${status}`, type, payload, timestamp: toIso(at) },
      ...{ number, kind, ref, userId },
    }
  })
}

const eventOf = {
  open: 'proposal.created',
  accepted: 'proposal.accepted',
  rejected: 'proposal.rejected',
} as const satisfies Record<ProposalStatus, ProposalEvent>

/** The news that a caller may hear: a reviewer all, others those of their own proposals. */
export async function newsFor(ctx: Context, actor: Actor, news: readonly News[]): Promise<ProposalMessage[]> {
  const of = (await isReviewer(ctx, actor)) ? undefined : visibleTo(actor)
  const isSeen = ({ kind, ref, userId }: News) => {
    if (of === undefined) return true
    return 'userId' in of ? of.userId === userId : of.ref === ref && of.kind === kind
  }
  return news.filter(isSeen).map(({ message }) => message)
}
