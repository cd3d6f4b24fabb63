import type {
  ChangePassword,
  Login,
  Register,
  SessionResponse,
  UpdateProfile,
  User,
} from '@loci/contract/auth'
import type { SecondStep } from '@loci/contract/second-factors'
import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { allPages } from '../../ground/lib/all-pages.ts'
import { hashPassword } from '../../ground/lib/passwords.ts'
import { newApiKey, newSessionToken, sha256 } from '../../ground/lib/secrets.ts'
import { transact } from '../../store/transact.ts'
import { listAccountsOfUser } from '../../tenancy/auth/accounts-of-user.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { deleteCredentials, insertCredential } from '../../tenancy/auth/credentials.repo.ts'
import { hashQueued, verifyQueued } from '../../tenancy/auth/password-queue.ts'
import { requireGoodPassword } from '../../tenancy/auth/password-rules.ts'
import type { Context } from '../../tenancy/context.ts'
import { type AuditAuthor, operatorOf, recordAudit } from '../audit/record-audit.ts'
import { closeBilling } from '../billing/billing.service.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { claimAccount, requireClaimed } from './claim-link.ts'
import { homeActor } from './home-actor.ts'
import { listMemberships } from './memberships.ts'
import { createAccount } from './new-account.ts'
import { passwordChanged } from './people-mails.ts'
import { toProfile } from './profile.ts'
import { removeAccount } from './remove-account.ts'
import { requirePassword } from './require-password.ts'
import { beginSecondStep, endSecondSteps } from './second-factors/second-step.ts'
import * as sessions from './sessions.repo.ts'
import {
  invalidCredentials,
  recordFailedSignIn,
  startSession,
  suspended,
  type Visitor,
} from './start-session.ts'
import * as users from './users.repo.ts'
import { sendVerification } from './verification.ts'

/** Queue key for the command line; other password checks queue by IP address. */
const operator = ''

/**
 * Creates a user with a new account and starts a session. `also` runs in the same transaction. Throws
 * `email_taken`, `claim_not_found`.
 */
export async function register(
  ctx: Context,
  input: Register,
  visitor: Visitor,
  also?: AfterCreation,
): Promise<SessionResponse> {
  const user = await createUser(ctx, input, { address: visitor.address, also })
  await sendVerification(ctx, user)
  return startSession(ctx, user, visitor)
}

type AfterCreation = (inner: Context, userId: string) => Promise<void>
type CreationOptions = { memberOf?: string; address?: string; also?: AfterCreation | undefined }

/**
 * Creates a user as owner of an account, which can be the unclaimed one, or as a member of the account of `memberOf`,
 * an email. Throws `email_taken`, `user_not_found`, `claim_not_found`.
 */
export async function createUser(
  ctx: Context,
  input: Register,
  { memberOf, address = operator, also }: CreationOptions = {},
): Promise<users.StoredUser> {
  const { email, password, claim } = input
  // Checked first, so that an invalid claim neither costs a hash nor reveals known emails.
  if (claim !== undefined) await requireClaimed(ctx, claim)
  await requireGoodPassword({ email, password, path: 'password' })
  const passwordHash = await hashQueued(address, password, ctx.config.passwordCost)
  const apiKey = newApiKey()
  const personalKeyHash = sha256(apiKey)
  return transact(ctx, async (inner) => {
    const { db, dialect, now, newId, secretBox } = inner
    const userId = newId('usr')
    const createdAt = now()
    const joined = memberOf === undefined ? undefined : await requireUserByEmail(db, memberOf)
    try {
      await users.insertUser(db, {
        id: userId,
        email: input.email,
        passwordHash,
        firstName: input.firstName,
        lastName: input.lastName,
        personalKeyHash,
        personalKeyEncrypted: secretBox.seal(apiKey),
        createdAt,
      })
    } catch (error) {
      if (!dialect.isUniqueViolation(error)) throw error
      throw new AppError('email_taken', 'An account with this email already exists')
    }
    const newAccount = () => (claim === undefined ? createAccount(inner) : claimAccount(inner, claim))
    const accountId = joined?.accountNumber ?? (await newAccount())
    await users.insertMember(db, { accountId, userId, role: joined ? 'member' : 'owner', createdAt })
    await keepPersonalKey(db, { accountId, userId, hash: personalKeyHash })
    const author: AuditAuthor =
      address === operator ? operatorOf(accountId) : { accountId, kind: 'session', userId, address }
    const subject = { kind: 'person' as const, id: userId, name: input.email }
    await recordAudit(inner, author, { action: joined ? 'member_joined' : 'signed_up', subject })
    await also?.(inner, userId)
    return requireUser(db, accountId, userId)
  })
}

function keepPersonalKey(
  db: Context['db'],
  { accountId, userId, hash }: { accountId: number; userId: string; hash: string },
): Promise<void> {
  return insertCredential(db, { hash, kind: 'personal_key', accountId, subject: userId, expiresAt: null })
}

/** Throws `user_not_found`. */
export async function requireUserByEmail(db: Context['db'], email: string): Promise<users.StoredUser> {
  const user = await users.findUserByEmail(db, email)
  if (user === undefined) throw new AppError('user_not_found', `There is no user ${email}`)
  return user
}

async function requireUser(db: Context['db'], accountId: number, userId: string): Promise<users.StoredUser> {
  const user = await users.findUser(db, accountId, userId)
  if (user === undefined) throw new AppError('user_not_found', 'User not found')
  return user
}

/** Hash that matches no password, so that an unknown email takes as long as a known one. */
let decoyHash: Promise<string> | undefined

/**
 * Starts a session, or returns the required second step if the password is not enough. Throws `invalid_credentials`,
 * the same for an unknown email and a wrong password, and `user_suspended` if the password is right.
 */
export async function login(
  ctx: Context,
  input: Login,
  visitor: Visitor,
): Promise<SessionResponse | SecondStep> {
  const { email, password, deviceTokens } = input
  const user = await users.findUserByEmail(ctx.db, email)
  decoyHash ??= hashPassword(newSessionToken(), ctx.config.passwordCost)
  const verified = await verifyQueued(visitor.address, password, user?.passwordHash ?? (await decoyHash))
  if (user === undefined) throw invalidCredentials()
  if (!verified || user.suspendedAt !== null)
    recordFailedSignIn(ctx, user, visitor, verified ? 'suspended' : 'wrong password')
  if (!verified) throw invalidCredentials()
  if (user.suspendedAt !== null) throw suspended()
  if (user.secondFactorSince !== null) return beginSecondStep(ctx, user)
  return startSession(ctx, user, visitor, { deviceTokens })
}

/** The caller's profile; API keys and connected apps do not get the personal key, which has more rights. */
export async function getProfile(ctx: Context, actor: Actor): Promise<User> {
  const profile = await toProfile(ctx, await requireUser(ctx.db, actor.accountId, actor.userId), actor)
  return ['api_key', 'oauth'].includes(actor.kind) ? { ...profile, apiKey: null } : profile
}

export async function updateProfile(ctx: Context, actor: Actor, input: UpdateProfile): Promise<User> {
  await transact(ctx, ({ db }) => users.updateUser(db, actor.userId, input))
  return getProfile(ctx, actor)
}

/** Replaces the personal key and returns it. Throws `second_factor_missing` for a user to whom it is not shown. */
export async function rollPersonalKey(ctx: Context, actor: Actor): Promise<string> {
  const user = await requireUser(ctx.db, actor.accountId, actor.userId)
  const { requireSecondFactor } = await listMemberships(ctx.db, user)
  if (requireSecondFactor && user.secondFactorSince === null)
    throw new AppError(
      'second_factor_missing',
      'An account of yours asks for a second factor. Set one up first.',
    )
  return replacePersonalKey(ctx, actor)
}

/** The old key stops working at once. */
async function replacePersonalKey(ctx: Context, actor: Actor): Promise<string> {
  const { userId, homeAccountId: accountId = actor.accountId } = actor
  const apiKey = newApiKey()
  const hash = sha256(apiKey)
  await transact(ctx, async (inner) => {
    const { db, secretBox } = inner
    await announceRevocation(inner, accountId)
    const old = await users.lockPersonalKey(db, userId)
    if (old !== undefined) await deleteCredentials(db, [old])
    await keepPersonalKey(db, { accountId, userId, hash })
    await users.updateUser(db, userId, {
      personalKeyHash: hash,
      personalKeyEncrypted: secretBox.seal(apiKey),
    })
    await recordAudit(inner, { ...actor, accountId }, { action: 'personal_key_rolled' })
  })
  return apiKey
}

/** Ends every other session of the user. Throws `validation_failed`, `rate_limited`. */
export async function changePassword(ctx: Context, actor: Actor, input: ChangePassword): Promise<void> {
  const { currentPassword: current, newPassword: password } = input
  await requirePassword(ctx, actor, current)
  const { email } = await requireUser(ctx.db, actor.accountId, actor.userId)
  await requireGoodPassword({ email, password, path: 'newPassword', current })
  await setPassword(ctx, actor.userId, password, {
    keepSessionId: actor.sessionId,
    also: async (inner) => {
      await recordAudit(inner, homeActor(actor), { action: 'password_changed' })
      if (input.rollApiKey) await replacePersonalKey(inner, actor)
    },
  })
}

type SetPasswordOptions = {
  keepSessionId?: string | undefined
  /** Runs in the same transaction. */
  also?: (inner: Context) => Promise<void>
}

/** Sets a password and ends the user's sessions, except one if given. */
export async function setPassword(
  ctx: Context,
  userId: string,
  password: string,
  { keepSessionId, also }: SetPasswordOptions = {},
): Promise<void> {
  const passwordHash = await hashQueued(userId, password, ctx.config.passwordCost)
  await transact(ctx, async (inner) => {
    const { db } = inner
    const accountIds = await listAccountsOfUser(db, userId)
    for (const accountId of accountIds) await announceRevocation(inner, accountId)
    await users.updateUser(db, userId, { passwordHash })
    await mailPasswordChange(inner, accountIds[0], userId)
    await endSecondSteps(db, accountIds, userId)
    for (const accountId of accountIds) {
      await sessions.deleteSessions(db, { accountId, userId }, keepSessionId)
    }
    await also?.(inner)
  })
}

/** Notifies users of the change, in case it was not them. */
async function mailPasswordChange(
  ctx: Context,
  accountId: number | undefined,
  userId: string,
): Promise<void> {
  const user = accountId === undefined ? undefined : await users.findUser(ctx.db, accountId, userId)
  if (user === undefined) return
  const { accountNumber, email } = user
  const content = passwordChanged(publicAddress(ctx.config))
  await queueMail(ctx, { accountId: accountNumber, id: ctx.newId('mail'), to: email, content })
}

/** Deletes the account with all its data and users; its rows go later. Requires the password again. */
export async function deleteAccount(ctx: Context, actor: Actor, password: string): Promise<void> {
  await requirePassword(ctx, actor, password)
  await closeBilling(ctx, actor.accountId)
  await removeAccount(ctx, actor.accountId)
}

const usersPerPage = 500

/** For the command line: all users, oldest first. */
export async function* listUsers(ctx: Context): AsyncGenerator<users.StoredUser> {
  const list = (last?: users.StoredUser) => users.listAllUsers(ctx.db, last?.id ?? '', usersPerPage)
  for await (const page of allPages(usersPerPage, list)) yield* page
}

/** For the command line: sets a new password without the old one and ends all sessions. Throws `user_not_found`. */
export async function resetPassword(ctx: Context, email: string, password: string): Promise<void> {
  const user = await requireUserByEmail(ctx.db, email)
  await requireGoodPassword({ email, password, path: 'password' })
  await setPassword(ctx, user.id, password, {
    also: (inner) =>
      recordAudit(inner, operatorOf(user.accountNumber), {
        action: 'password_reset',
        subject: { kind: 'person', id: user.id, name: email },
      }),
  })
}
