import { normalizeEmail } from '@loci/contract/auth'
import { selfHostedPlanId } from '@loci/contract/plans'
import type { Actor } from '../../auth/actor.ts'
import { authenticateToken } from '../../auth/authenticate.ts'
import { ConfigError } from '../../config.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { defaultSpaceId } from '../../scope.ts'
import * as accounts from './accounts.repo.ts'
import * as users from './users.repo.ts'

/** The person with this email, for a command that works on their account. Throws {@link ConfigError}. */
export async function findActorByEmail(ctx: Context, email: string): Promise<Actor> {
  const user = await users.findUserByEmail(ctx.db, normalizeEmail(email))
  if (user === undefined) throw new ConfigError(`There is no user ${email} in this database.`)
  const { accountNumber, id, role } = user
  return { kind: 'local', accountId: accountNumber, spaceId: defaultSpaceId, userId: id, role }
}

/**
 * Whose memory a process on this machine works on: the account of LOCI_API_KEY; else the only account there is; else,
 * before anyone signed up, one that the first person to sign up takes over. Throws {@link ConfigError}.
 */
export async function findLocalActor(
  ctx: Context,
  howToSay = 'Set LOCI_API_KEY to say whose memory this is.',
): Promise<Actor> {
  if (ctx.config.apiKey !== undefined) {
    return authenticateToken(ctx, ctx.config.apiKey).catch((cause) => {
      throw new ConfigError('LOCI_API_KEY is not a key of an account in this database.', { cause })
    })
  }
  return transact(ctx, async ({ db, dialect, now, newId }) => {
    await dialect.lockMigrations(db)
    const known = await accounts.listAccountIds(db, 2)
    if (known.length > 1) {
      throw new ConfigError(`This database has several accounts. ${howToSay}`)
    }
    const first = { id: newId('acc'), plan: selfHostedPlanId, unclaimed: true, createdAt: now() }
    const accountId = known[0] ?? (await accounts.insertAccount(db, first))
    return { kind: 'local', accountId, spaceId: defaultSpaceId, userId: '', role: 'owner' }
  })
}
