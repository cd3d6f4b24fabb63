import { createRestClient, type RestClient } from '@loci/client/rest'
import { normalizeEmail } from '@loci/contract/auth'
import type { Role } from '@loci/contract/rights'
import pino from 'pino'
import type { AppOptions } from '../src/app.ts'
import { createUser } from '../src/features/users/users.service.ts'
import { openContext } from '../src/open-context.ts'
import { defaultSpaceId, type Scope } from '../src/tenancy/scope.ts'
import { listenOn, type Person, type TestServer } from './harness.ts'

/** A second process on a server's database, with the same clock. */
export async function openTwin(server: TestServer, options?: AppOptions) {
  return listenOn(
    await openContext(server.config, pino({ level: 'silent' }), { now: () => server.clock.now }),
    options,
  )
}

/** A client with its own token. */
export function restWith(place: { url: string }, token: string): RestClient {
  return createRestClient({ baseUrl: place.url, token: () => token })
}

/** Starts a new session, e.g. after moving the clock past the end of the old one. */
export async function signIn(server: TestServer, { email, password }: Person): Promise<RestClient> {
  const { token } = await server.anonymous.login({ body: { email, password } })
  return restWith(server, token)
}

/** Adds a signed-in member to somebody's account who does not own it. */
export async function addMember(
  server: TestServer,
  owner: Person,
  role: Exclude<Role, 'owner'> = 'member',
): Promise<RestClient> {
  return restWith(server, (await addPerson(server, owner, role)).token)
}

/** The same, with the personal key as token. */
export async function addPerson(
  server: TestServer,
  owner: Person,
  role: Exclude<Role, 'owner'>,
  name: string = role,
): Promise<{ token: string; apiKey: string; userId: string }> {
  const email = normalizeEmail(`${name}-of-${owner.email}`)
  const { password } = owner
  const input = { email, password, firstName: 'Max', lastName: 'Member' }
  await createUser(server.ctx, input, { memberOf: normalizeEmail(owner.email) })
  const { token, user } = await server.anonymous.login({ body: { email, password } })
  await server.ctx.db.updateTable('members').set({ role }).where('user_id', '=', user.id).execute()
  return { token, apiKey: user.apiKey!, userId: user.id }
}

/** The internal numbers of a person's account and its first space. */
export async function scopeOf(
  { ctx }: Pick<TestServer, 'ctx'>,
  { accountId }: Pick<Person, 'accountId'>,
): Promise<Scope> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('account_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { accountId: account.account_id, spaceId: defaultSpaceId }
}

/** Puts an account on a plan, bypassing billing. */
export async function setPlan(
  { ctx }: Pick<TestServer, 'ctx'>,
  { accountId }: Person,
  plan: string,
): Promise<void> {
  await ctx.db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
}

/** Makes an account appear to hold this many entities. */
export async function setEntityCount(
  { ctx }: TestServer,
  { accountId }: Person,
  entities: number,
): Promise<void> {
  await ctx.db.updateTable('accounts').set({ entities }).where('id', '=', accountId).execute()
}

/** Makes an account appear to have done this many operations in the clock's current month. */
export async function setMonthOperations(
  server: TestServer,
  person: Person,
  operations: number,
): Promise<void> {
  const { ctx, clock } = server
  const { accountId } = await scopeOf(server, person)
  const row = { account_id: accountId, month: new Date(clock.now).toISOString().slice(0, 7), operations }
  await ctx.usage.flush()
  await ctx.db
    .insertInto('month_counts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'month']).doUpdateSet({ operations }))
    .execute()
}
