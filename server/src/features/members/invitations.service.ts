import type { Membership } from '@loci/contract/auth'
import {
  type Invitation,
  type InvitationDetails,
  type InviteMember,
  invitationDays,
  type NewInvitation,
} from '@loci/contract/members'
import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { randomToken, sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { findCallerMember } from '../../tenancy/auth/callers.repo.ts'
import { deleteCredentials, findCredential, insertCredential } from '../../tenancy/auth/credentials.repo.ts'
import {
  deleteInvitationRow,
  findInvitation,
  insertInvitation,
  invitationsMax,
  listInvitations,
  type StoredInvitation,
} from '../../tenancy/auth/invitations.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { joinAccount, nameAccounts, requireMembership } from '../users/memberships.ts'
import { invitation as invitationMail } from '../users/people-mails.ts'
import * as members from './members.repo.ts'
import { mayGrant, requireMayGrant } from './members.rules.ts'

const toInvitation = (row: StoredInvitation): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  expiresAt: toIso(row.expires_at),
  createdAt: toIso(row.created_at),
})

/**
 * Invites somebody by a one-time link; an earlier link to the same email is revoked. Throws `already_member`,
 * `plan_limit_reached`, `not_permitted`.
 */
export async function inviteMember(
  ctx: Context,
  actor: Actor,
  { email, role }: InviteMember,
): Promise<NewInvitation> {
  requireMayGrant(actor, role)
  const { accountId, userId } = actor
  const token = randomToken()
  const url = `${publicAddress(ctx.config)}/invitation#token=${token}`
  return transact(ctx, async (inner) => {
    const { db, now, newId } = inner
    await lockAccount(db, accountId)
    await requireStranger(inner, accountId, email)
    await requireRoom(inner, accountId)
    await makeRoom(inner, accountId, email)
    const row: StoredInvitation = {
      account_id: accountId,
      id: newId('inv'),
      email,
      role,
      token_hash: sha256(token),
      invited_by: userId,
      created_at: now(),
      expires_at: now() + invitationDays * dayMs,
    }
    await insertInvitation(db, row)
    await insertCredential(db, {
      hash: row.token_hash,
      kind: 'invitation',
      accountId,
      subject: row.id,
      expiresAt: row.expires_at,
    })
    await mailInvitation(inner, actor, row, url)
    await recordAudit(inner, actor, { action: 'member_invited', ...toEvent(row) })
    return { invitation: toInvitation(row), url, mailed: ctx.config.mail !== undefined }
  })
}

const toEvent = ({ id, email, role }: StoredInvitation) => ({
  subject: { kind: 'invitation' as const, id, name: email },
  details: { role },
})

async function mailInvitation(ctx: Context, actor: Actor, row: StoredInvitation, url: string) {
  const inviter = await members.findMember(ctx.db, actor.accountId, actor.userId)
  const { name } = await requireMembership(ctx.db, actor.accountId, actor.userId)
  const from = `${inviter?.firstName} ${inviter?.lastName}`
  await queueMail(ctx, {
    accountId: actor.accountId,
    id: row.id,
    to: row.email,
    content: invitationMail({ account: name, from, url }),
    expiresAt: row.expires_at,
  })
}

async function requireStranger({ db }: Context, accountId: number, email: string): Promise<void> {
  if ((await members.findMemberByEmail(db, accountId, email)) !== undefined)
    throw alreadyMember(`${email} is a member already`)
}

const alreadyMember = (message: string) => new AppError('already_member', message)

async function requireRoom({ db }: Context, accountId: number): Promise<void> {
  const used = await members.countMembers(db, accountId)
  if (used < members.membersMax) return
  const { plan } = await lockAccount(db, accountId)
  throw new AppError('plan_limit_reached', `An account can have at most ${members.membersMax} members`, {
    details: [{ limit: members.membersMax, used, plan }],
  })
}

/** Deletes an earlier invitation of the same person, and the oldest if there are too many. */
async function makeRoom({ db }: Context, accountId: number, email: string): Promise<void> {
  const known = await listInvitations(db, accountId)
  const ended = known.filter((row, index) => row.email === email || index >= invitationsMax - 1)
  for (const row of ended) await endInvitation(db, row)
}

async function endInvitation(db: Context['db'], row: StoredInvitation): Promise<void> {
  await deleteCredentials(db, [row.token_hash])
  await deleteInvitationRow(db, row.account_id, row.id)
}

/** Throws `invitation_not_found`. */
export async function deleteInvitation(ctx: Context, actor: Actor, id: string): Promise<void> {
  await transact(ctx, async (inner) => {
    const { db } = inner
    await lockAccount(db, actor.accountId)
    const row = await findInvitation(db, actor.accountId, id)
    if (row === undefined) throw new AppError('invitation_not_found', 'Invitation not found')
    await endInvitation(db, row)
    await recordAudit(inner, actor, { action: 'invitation_deleted', ...toEvent(row) })
  })
}

/** Describes the invitation behind a link. Throws `invitation_not_found`. */
export async function describeInvitation(ctx: Context, token: string): Promise<InvitationDetails> {
  const { account_id: accountId, email, role } = await requireInvitation(ctx, token)
  const names = await nameAccounts(ctx.db, [accountId])
  return { account: names.get(accountId) ?? 'Loci', email, role }
}

/** Throws `invitation_not_found` for a link that was used, was revoked, has expired, or whose inviter lost the right. */
async function requireInvitation(ctx: Context, token: string): Promise<StoredInvitation> {
  const { db, now } = ctx
  const credential = await findCredential(db, sha256(token))
  const isOpen = credential?.kind === 'invitation' && (credential.expiresAt ?? 0) > now()
  const row = isOpen ? await findInvitation(db, credential.accountId, credential.subject) : undefined
  if (row !== undefined && (await isGoodFrom(ctx, row))) return row
  const message = 'This invitation was accepted or withdrawn, has expired, or its link is incomplete.'
  throw new AppError('invitation_not_found', message)
}

/** Whether the inviter could still send this invitation: nobody returns by one that they kept for themselves. */
async function isGoodFrom({ db }: Context, row: StoredInvitation): Promise<boolean> {
  const inviter = await findCallerMember(db, row.account_id, row.invited_by)
  return inviter !== undefined && mayGrant({ kind: 'session', role: inviter.role }, row.role)
}

/** The pending invitations of an account, newest first. */
export async function listPending(ctx: Context, accountId: number): Promise<Invitation[]> {
  const rows = (await listInvitations(ctx.db, accountId)).filter(({ expires_at }) => expires_at > ctx.now())
  const inviters = new Map<string, boolean>()
  for (const row of rows) {
    const key = `${row.invited_by} ${row.role}`
    if (!inviters.has(key)) inviters.set(key, await isGoodFrom(ctx, row))
  }
  return rows.filter((row) => inviters.get(`${row.invited_by} ${row.role}`)).map(toInvitation)
}

/** Throws `invitation_not_found`, and `invitation_for_another` if it was sent to another email address. */
export async function requireInvitationFor(
  ctx: Context,
  email: string,
  token: string,
): Promise<StoredInvitation> {
  const row = await requireInvitation(ctx, token)
  if (row.email.toLowerCase() === email.toLowerCase()) return row
  const message = `This invitation is for ${row.email}. Only that address can accept it.`
  throw new AppError('invitation_for_another', message)
}

/** The invitee: a user with their address. */
type Invitee = { userId: string; email: string; address?: string }

/**
 * Makes a user a member. Throws `invitation_not_found`, `invitation_for_another`, `already_member`,
 * `plan_limit_reached`.
 */
export async function acceptInvitation(
  ctx: Context,
  { userId, email, address }: Invitee,
  token: string,
): Promise<Membership> {
  return transact(ctx, async (inner) => {
    const { db } = inner
    const { account_id: accountId } = await requireInvitationFor(inner, email, token)
    await lockAccount(db, accountId)
    // It may have been used since.
    const row = await requireInvitationFor(inner, email, token)
    if ((await members.findMember(db, accountId, userId)) !== undefined)
      throw alreadyMember('You are a member of this account already')
    await requireRoom(inner, accountId)
    await joinAccount(inner, { accountId, userId, role: row.role })
    await endInvitation(db, row)
    const author = { accountId, kind: 'session' as const, userId, ...(address && { address }) }
    await recordAudit(inner, author, { action: 'member_joined', ...toEvent(row) })
    return requireMembership(db, accountId, userId)
  })
}

/** Makes the caller a member. Throws as `acceptInvitation`. */
export async function acceptAsCaller(ctx: Context, actor: Actor, token: string): Promise<Membership> {
  const caller = await members.findMember(ctx.db, actor.accountId, actor.userId)
  return acceptInvitation(ctx, { ...actor, email: caller?.email ?? '' }, token)
}
