import { createHash } from 'node:crypto'
import type { Change } from '@loci/contract/changes'
import type { ProposalEvent, ProposalNews, ProposalStatus } from '@loci/contract/proposals'
import { eventOf, everyEvent, testEvent } from '@loci/contract/webhooks'
import { toId } from '../../../ground/lib/ids.ts'
import { toIso } from '../../../ground/lib/time.ts'
import {
  findActorsByNumber,
  findFitting,
  type LoggedChange,
  listLogged,
} from '../../../memory/log/log.repo.ts'
import { toChanges } from '../../../memory/log/read-changes.ts'
import { findProposals } from '../../../memory/write/proposals/proposals.repo.ts'
import type { Operation } from '../../../rows/operations.ts'
import type { Db } from '../../../store/db.ts'
import type { Scope } from '../../../tenancy/scope.ts'

type NamedSpace = Scope & { name: string }

/** A space whose changes are sent. `account` is the public id of its account. */
export type SourceSpace = NamedSpace & { account: string }

/** An event, the same for every endpoint. */
export type WebhookEvent = { id: string; seq: number; event: string; body: string }

const loggedPerPage = 200
const eventsPerPage = 100
/** A page ends with the event that reaches this size. */
const pageCharsMax = 256 * 1024

/** `upTo` is the newest change that was read; `isLast` if there are no more. */
export type EventPage = { events: WebhookEvent[]; upTo: number; isLast: boolean }

/** The next subscribed events after a change, oldest first. */
export async function readEvents(
  db: Db,
  space: SourceSpace,
  after: number,
  subscribed: readonly string[],
): Promise<EventPage> {
  const range = { after, before: Number.MAX_SAFE_INTEGER }
  const logged = await listLogged(db, space, range, { order: 'asc', limit: loggedPerPage })
  const wanted = logged.filter(isWanted(subscribed)).slice(0, eventsPerPage)
  const isCut = wanted.length === eventsPerPage
  const newest = (isCut ? wanted : logged).at(-1)?.seq ?? after
  const events: WebhookEvent[] = []
  let chars = 0
  for (const change of await toChanges(db, space, wanted)) {
    const event = toEvent(change, space)
    events.push(event)
    chars += event.body.length
    if (chars >= pageCharsMax) return { events, upTo: event.seq, isLast: false }
  }
  return { events, upTo: newest, isLast: !isCut && logged.length < loggedPerPage }
}

function isWanted(subscribed: readonly string[]): (change: LoggedChange) => boolean {
  if (subscribed.includes(everyEvent)) return () => true
  const events = new Set(subscribed)
  return ({ operation }) => events.has(eventOf(operation satisfies Operation))
}

function toEvent(change: Change, space: SourceSpace): WebhookEvent {
  const { operation, seq } = change
  const id = eventIdOf(space.account, space.spaceId, seq)
  return { id, seq, event: eventOf(operation), body: toBody(change, space) }
}

function toBody(change: Change, { spaceId, name }: NamedSpace): string {
  const data = { change, space: { id: toId('spc', spaceId), name } }
  return JSON.stringify({ type: eventOf(change.operation), timestamp: change.at, data })
}

/**
 * Rebuilds the body of one event, without data erased since. Undefined if the change is not in the log.
 */
export async function readBody(db: Db, space: NamedSpace, seq: number): Promise<string | undefined> {
  const logged = await findFitting(db, space, [seq], {})
  const [change] = await toChanges(db, space, logged)
  return change === undefined ? undefined : toBody(change, space)
}

/** The body of the news of a proposal, which says nothing of what it proposes. Undefined if it was forgotten since. */
export async function readNewsBody(
  db: Db,
  { name, ...scope }: NamedSpace,
  { proposalId, event, at }: { proposalId: number; event: ProposalEvent; at: number },
): Promise<string | undefined> {
  const [proposal] = await findProposals(db, scope, [proposalId])
  if (proposal === undefined) return undefined
  const by = (await findActorsByNumber(db, scope.accountId, [proposal.actorId])).get(proposal.actorId)
  if (by === undefined) return undefined
  const status = statusAfter[event]
  const news: ProposalNews = { id: toId('prp', proposalId), status, by, at: toIso(proposal.at) }
  const data = { proposal: news, space: { id: toId('spc', scope.spaceId), name } }
  return JSON.stringify({ type: event, timestamp: toIso(at), data })
}

const statusAfter = {
  'proposal.created': 'open',
  'proposal.accepted': 'accepted',
  'proposal.rejected': 'rejected',
} as const satisfies Record<ProposalEvent, ProposalStatus>

/** The body of a test event. */
export function testBodyOf(webhookId: string, at: number): string {
  return JSON.stringify({ type: testEvent, timestamp: toIso(at), data: { webhook: webhookId } })
}

/** The id depends only on the change, not on endpoint or time. */
function eventIdOf(account: string, spaceId: number, seq: number): string {
  const hash = createHash('sha256').update(`${account} ${spaceId} ${seq}`).digest('base64url')
  return `evt_${hash.slice(0, 22)}`
}
