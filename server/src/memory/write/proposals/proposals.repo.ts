import type { ProposalStatus } from '@loci/contract/proposals'
import { sql } from 'kysely'
import { countFound } from '../../../store/count-found.ts'
import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import { type CamelRow, toCamelRow } from '../../../store/row-names.ts'
import type { ProposalsTable } from '../../../store/schema.ts'
import { isIn } from '../../../tenancy/scope.repo.ts'
import type { Scope } from '../../../tenancy/scope.ts'
import type { ProposedSteps } from './proposed-steps.ts'

export const statusNumbers = { open: 0, accepted: 1, rejected: 2 } as const satisfies Record<
  ProposalStatus,
  number
>
const statuses = Object.keys(statusNumbers) as ProposalStatus[]

export type StoredProposal = Omit<CamelRow<ProposalRow>, 'status' | 'steps' | 'restsOn'> & {
  status: ProposalStatus
  steps: ProposedSteps
  restsOn: number[]
}

type ProposalRow = Omit<ProposalsTable, 'account_id' | 'space_id' | 'news_id' | 'conversation_id'>

const inSpace = (db: Db, scope: Scope) => db.selectFrom('proposals').where(isIn(scope))

function toStored({
  account_id,
  space_id,
  news_id,
  conversation_id,
  ...row
}: ProposalsTable): StoredProposal {
  return {
    ...toCamelRow(row),
    status: statuses[row.status]!,
    steps: JSON.parse(row.steps),
    restsOn: row.rests_on === null ? [] : JSON.parse(row.rests_on),
  }
}

/** Whose proposals: of a key, connection or person by itself (`kind`), or of a person and all of their keys. */
export type Proposer = { kind?: string; ref: string } | { userId: string }

export type ProposalFilter = {
  status: ProposalStatus
  of?: Proposer | undefined
  /** Id of a key, connection or person. */
  by?: string | undefined
  entityId?: number | undefined
  conversationId?: number | undefined
}

/** Newest first, those before the number `before`, each with the bytes of its steps. */
export async function listProposalSizes(
  db: Db,
  scope: Scope,
  filter: ProposalFilter,
  { before, limit }: { before: number; limit: number },
) {
  return matching(db, scope, filter)
    .select(['proposals.id', sql<number>`octet_length(steps)`.as('bytes')])
    .where('proposals.id', '<', before)
    .orderBy('proposals.id', 'desc')
    .limit(limit)
    .execute()
}

function matching(db: Db, scope: Scope, { status, of, by, entityId, conversationId }: ProposalFilter) {
  let query =
    conversationId === undefined
      ? inSpace(db, scope)
      : openOfConversations(db, scope).where('conversation_id', '=', conversationId)
  query = query.where('status', '=', statusNumbers[status])
  if (of !== undefined && 'userId' in of) query = query.where('user_id', '=', of.userId)
  else if (of !== undefined) query = query.where('ref', '=', of.ref)
  if (of !== undefined && 'kind' in of && of.kind !== undefined) query = query.where('kind', '=', of.kind)
  if (by !== undefined) query = query.where('ref', '=', by)
  if (entityId === undefined) return query
  const concerning = db
    .selectFrom('proposal_subjects')
    .select('proposal_id')
    .where(isIn(scope))
    .where('subject_id', '=', entityId)
    .where('status', '=', statusNumbers[status])
  return query.where('proposals.id', 'in', concerning)
}

export async function countProposals(
  db: Db,
  scope: Scope,
  filter: ProposalFilter,
  countMax = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const some = matching(db, scope, filter).select('proposals.id').limit(countMax)
  return countFound(db.selectFrom(some.as('some')))
}

/** How many are open of each actor, the most first, and since when. */
export async function countByProposer(
  db: Db,
  scope: Scope,
): Promise<{ actorId: number; count: number; since: number }[]> {
  const rows = await matching(db, scope, { status: 'open' })
    .select(({ fn }) => ['actor_id as actorId', fn.countAll().as('count'), fn.min('at').as('since')])
    .groupBy('actor_id')
    .execute()
  return rows
    .map(({ actorId, count, since }) => ({ actorId, count: Number(count), since: Number(since) }))
    .sort((one, other) => other.count - one.count)
}

/** How many are open of each of these conversations, or of the newest ones that have some. */
export async function countOpenByConversation(
  db: Db,
  scope: Scope,
  { conversations, limit }: { conversations: readonly number[] | undefined; limit: number },
): Promise<{ conversationId: number; count: number }[]> {
  let query = openOfConversations(db, scope)
  if (conversations !== undefined)
    query = query.where(dialectOf(db).isOneOfNumbers('conversation_id', conversations))
  const rows = await query
    .select(({ fn }) => ['conversation_id as id', fn.countAll().as('count')])
    .groupBy('conversation_id')
    .orderBy('conversation_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, count }) => ({ conversationId: Number(id), count: Number(count) }))
}

/** As the index `proposals_by_conversation` has them. */
const openOfConversations = (db: Db, scope: Scope) =>
  inSpace(db, scope).where(sql<boolean>`status = 0`).where('conversation_id', 'is not', null)

export async function findProposals(db: Db, scope: Scope, ids: readonly number[]): Promise<StoredProposal[]> {
  if (ids.length === 0) return []
  const rows = await inSpace(db, scope)
    .selectAll()
    .where(dialectOf(db).isOneOfNumbers('id', [...new Set(ids)]))
    .orderBy('id')
    .execute()
  return rows.map(toStored)
}

/** That a proposal was made, or decided on. */
export type StoredNews = Pick<
  StoredProposal,
  'id' | 'status' | 'at' | 'actorId' | 'kind' | 'ref' | 'userId'
> & {
  /** Its place in the order of all news of the account. */
  number: number
}

/** News of a space after the number `after`, in order. */
export async function listNewsAfter(
  db: Db,
  scope: Scope,
  after: number,
  limit: number,
): Promise<StoredNews[]> {
  const some = inSpace(db, scope)
    .select(['id', 'at', 'actor_id as actorId', 'kind', 'ref', 'user_id as userId'])
    .limit(limit)
  const made = await some.where('id', '>', after).orderBy('id').execute()
  const decided = await some
    .select(['status', 'decided_at as decidedAt', 'news_id as newsId'])
    .where('news_id', '>', after)
    .orderBy('news_id')
    .execute()
  return [
    ...made.map((row) => ({ ...row, number: row.id, status: 'open' as const })),
    ...decided.map(({ newsId, status, decidedAt, ...row }) => ({
      ...{ ...row, number: newsId!, status: statuses[status]! },
      at: decidedAt!,
    })),
  ]
    .sort((one, other) => one.number - other.number)
    .slice(0, limit)
}

/** The number that the next news of an account will have at least; undefined if it was deleted. */
export async function findNextNumber(db: Db, accountId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('next_id as nextId')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.nextId
}

/** Numbers of the open proposals that create these subjects. */
export async function findCreatorsOf(
  db: Db,
  scope: Scope,
  subjects: readonly number[],
): Promise<Map<number, number>> {
  if (subjects.length === 0) return new Map()
  const rows = await db
    .selectFrom('proposal_subjects')
    .select(['subject_id', 'proposal_id'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('subject_id', [...new Set(subjects)]))
    .where('status', '=', statusNumbers.open)
    .where('is_new', '=', 1)
    .execute()
  return new Map(rows.map((row) => [row.subject_id, row.proposal_id]))
}

/** Numbers of the proposals in which an entity gets one of these names. */
export async function findNamedIn(db: Db, scope: Scope, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('proposal_subjects')
    .select('proposal_id')
    .where(isIn(scope))
    .where('name', 'is not', null)
    .where(dialectOf(db).isOneOf('name', [...new Set(names)]))
    .where('status', '=', statusNumbers.open)
    .execute()
  return rows.map((row) => row.proposal_id)
}

/** Numbers of all proposals, open or decided, that concern one of these. */
export async function findConcerning(db: Db, scope: Scope, subjects: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('proposal_subjects')
    .select('proposal_id')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('subject_id', [...new Set(subjects)]))
    .execute()
  return [...new Set(rows.map((row) => row.proposal_id))]
}

/** Who reviews a space, and what is reviewed in it. */
export async function findReviewing(db: Db, scope: Scope) {
  const row = await db
    .selectFrom('spaces')
    .select(['writes', 'reviewers', 'auto_accept_days as autoAcceptDays'])
    .where(isIn(scope))
    .executeTakeFirst()
  return row ?? { writes: null, reviewers: null, autoAcceptDays: null }
}

/** Spaces, of any account, that accept proposals by themselves; after `after`. */
export async function listAutoAccepting(db: Db, after: Scope, limit: number) {
  return db
    .selectFrom('spaces')
    .innerJoin('accounts', 'accounts.account_id', 'spaces.account_id')
    .select(['spaces.account_id as accountId', 'spaces.space_id as spaceId', 'auto_accept_days as days'])
    .where('auto_accept_days', 'is not', null)
    .where('spaces.deleted_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where((eb) =>
      eb(eb.refTuple('spaces.account_id', 'spaces.space_id'), '>', eb.tuple(after.accountId, after.spaceId)),
    )
    .orderBy('spaces.account_id')
    .orderBy('spaces.space_id')
    .limit(limit)
    .execute()
}

/** Open proposals of a space from before `at`, oldest first, after the number `after`. */
export async function listOldProposals(
  db: Db,
  scope: Scope,
  { after, at, limit }: { after: number; at: number; limit: number },
): Promise<StoredProposal[]> {
  const rows = await inSpace(db, scope)
    .selectAll()
    .where('status', '=', statusNumbers.open)
    .where('id', '>', after)
    .where('at', '<=', at)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toStored)
}

/** Proposals, of any account, that were decided on before `at`. */
export async function listDecidedBefore(
  db: Db,
  at: number,
  limit: number,
): Promise<{ scope: Scope; ids: number[] }[]> {
  const rows = await db
    .selectFrom('proposals')
    .select(['account_id as accountId', 'space_id as spaceId', 'id'])
    .where('decided_at', '<', at)
    .orderBy('decided_at')
    .limit(limit)
    .execute()
  const byScope = Map.groupBy(rows, ({ accountId, spaceId }) => `${accountId} ${spaceId}`)
  return [...byScope.values()].map((list) => ({
    scope: { accountId: list[0]!.accountId, spaceId: list[0]!.spaceId },
    ids: list.map(({ id }) => id),
  }))
}

/** The role of a person in an account if they, and the key or app with which they proposed, can still write there. */
export async function findProposersRole(
  db: Db,
  accountId: number,
  { kind, ref, userId }: Pick<StoredProposal, 'kind' | 'ref' | 'userId'>,
  now: number,
): Promise<string | undefined> {
  const member = await db
    .selectFrom('members')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  const credentials = { api_key: 'api_keys', oauth: 'oauth_grants' } as const
  const table = kind === 'api_key' || kind === 'oauth' ? credentials[kind] : undefined
  if (member === undefined || table === undefined) return member?.role
  const credential = await db
    .selectFrom(table)
    .select('expires_at')
    .where('account_id', '=', accountId)
    .where('id', '=', ref)
    .executeTakeFirst()
  if (credential === undefined) return undefined
  return credential.expires_at === null || credential.expires_at > now ? member.role : undefined
}
