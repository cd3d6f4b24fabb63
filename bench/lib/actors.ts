import type { Actor } from '../../server/src/tenancy/auth/actor.ts'
import type { Context } from '../../server/src/tenancy/context.ts'
import { defaultScopeOf, type Scope } from '../../server/src/tenancy/scope.ts'

/** The internal numbers of an account and its first space. */
export async function findScope({ db }: Context, accountId: string): Promise<Scope> {
  const accounts = db.selectFrom('accounts').select('account_id')
  const { account_id } = await accounts.where('id', '=', accountId).executeTakeFirstOrThrow()
  return defaultScopeOf(account_id)
}

/** The owner of an account with no other members, who stored what is in it, without authentication. */
export async function findOwner(ctx: Context, accountId: string): Promise<Actor> {
  const { accountId: account } = await findScope(ctx, accountId)
  const members = ctx.db.selectFrom('members').select('user_id').where('account_id', '=', account)
  const { user_id } = await members.executeTakeFirstOrThrow()
  return toLocalActor(ctx, { id: user_id, accountId })
}

/** An account's owner, without authentication. */
export async function toLocalActor(
  ctx: Context,
  { id, accountId }: { id: string; accountId: string },
): Promise<Actor> {
  return { kind: 'local', ...(await findScope(ctx, accountId)), userId: id, role: 'owner' }
}
