import { normalizeEmail } from '@loci/contract/auth'
import { selfHostedPlanId } from '@loci/contract/plans'
import { ConfigError } from '../../ground/config/config.ts'
import { isLoopback } from '../../ground/lib/networks.ts'
import { transact } from '../../store/transact.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import { authenticateToken } from '../../tenancy/auth/authenticate.ts'
import type { Context } from '../../tenancy/context.ts'
import * as accounts from './accounts.repo.ts'
import * as users from './users.repo.ts'

/** The user with this email, for a command on their account. Throws {@link ConfigError}. */
export async function findActorByEmail(ctx: Context, email: string): Promise<Actor> {
  const user = await users.findUserByEmail(ctx.db, normalizeEmail(email))
  if (user === undefined) throw new ConfigError(`There is no user ${email} in this database.`)
  const { accountNumber, id, role } = user
  return actorOn({ kind: 'local', accountId: accountNumber, userId: id, role })
}

/**
 * The account that a process on this machine uses: that of LOCI_API_KEY, or else the unclaimed one or the one that
 * somebody claimed with its link. Never anybody else's. Created if the database has no account at all. Throws
 * {@link ConfigError}.
 */
export async function findLocalActor(ctx: Context): Promise<Actor> {
  if (ctx.config.apiKey !== undefined) return findActorByKey(ctx, ctx.config.apiKey)
  return transact(ctx, async (inner) => {
    const accountId = await findOrCreateLocalAccount(inner)
    if (accountId !== undefined) return toLocalActor(accountId)
    throw new ConfigError(
      'The accounts of this database belong to people. Set LOCI_API_KEY to say whose memory this is.',
    )
  })
}

/**
 * The account that a manually run command uses: that of LOCI_API_KEY, or else the only account. Throws
 * {@link ConfigError}.
 */
export async function findOnlyActor(ctx: Context): Promise<Actor> {
  if (ctx.config.apiKey !== undefined) return findActorByKey(ctx, ctx.config.apiKey)
  return transact(ctx, async (inner) => {
    const local = await accounts.findLocalAccount(inner.db)
    const all = await accounts.listAccountIds(inner.db, 3)
    const others = all.filter((accountId) => accountId !== local?.accountId)
    const isEmpty = local?.isUnclaimed === true && local.isEmpty
    const candidates = isEmpty && others.length > 0 ? others : all
    if (candidates.length > 1) {
      throw new ConfigError(
        'This database has several accounts. Say whose memory is meant with --account EMAIL.',
      )
    }
    return toLocalActor(candidates[0] ?? (await findOrCreateLocalAccount(inner))!)
  })
}

/**
 * Whether the owner of this account can decide for the whole server: either they claimed this machine's memory, with a
 * link that only the server's output shows, or nobody else can have an account.
 */
export async function ownsServer({ db, config }: Context, accountId: number): Promise<boolean> {
  if (config.databaseUrl !== undefined) return false
  const local = await accounts.findLocalAccount(db)
  if (local?.accountId === accountId) return true
  const others = (await accounts.listAccountIds(db, 3)).filter(
    (other) => other !== accountId && !(other === local?.accountId && local.isUnclaimed),
  )
  const isPrivate = config.publicUrl === undefined && isLoopback(config.host)
  return others.length === 0 && (isPrivate || config.signUp !== 'open')
}

/** The account for processes without a key. Created if there is no account; undefined if all have other owners. */
export async function findOrCreateLocalAccount({
  db,
  dialect,
  newId,
  now,
}: Context): Promise<number | undefined> {
  await dialect.lockMigrations(db)
  const local = await accounts.findLocalAccount(db)
  if (local !== undefined) return local.accountId
  if ((await accounts.listAccountIds(db, 1)).length > 0) return undefined
  const account = { id: newId('acc'), plan: selfHostedPlanId, unclaimed: true, createdAt: now() }
  return accounts.insertAccount(db, account)
}

function toLocalActor(accountId: number): Actor {
  return actorOn({ kind: 'local', accountId, userId: '', role: 'owner' })
}

async function findActorByKey(ctx: Context, key: string): Promise<Actor> {
  const caller = await authenticateToken(ctx, key).catch((cause) => {
    throw new ConfigError('LOCI_API_KEY is not a key of an account in this database.', { cause })
  })
  return actorOn(caller)
}
