import { createRestClient } from '@loci/client/rest'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMember, addPerson, openTwin, scopeOf } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { connect as connectApp } from '../../../test/oauth.ts'
import { dayMs, minuteMs, toIso } from '../../ground/lib/time.ts'
import { postingsOf } from '../../search/store/posting-lists.ts'
import { accountTables } from '../../store/account-tables.ts'
import type { Context } from '../../tenancy/context.ts'
import { checkAll } from '../checks/checks.service.ts'
import { sweepConnections } from '../connections/connection-sweep.ts'
import { finishRemovals } from '../removals/removals.ts'

/** Number of an account's rows in all tables. */
async function rowsOf({ db, dialect }: Context, accountId: number): Promise<number> {
  const postings = dialect.name === 'postgres' ? ['postings', 'posting_blocks'] : []
  const tables = ['accounts', 'credentials', ...postings, ...Object.keys(accountTables)]
  const counts = tables.map(
    (table) => sql`select count(*) as count from ${sql.table(table)} where account_id = ${accountId}`,
  )
  const { rows } = await sql<{ count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Keeps all processes from removing rows; returns what lets them again. */
async function withoutRemovals({ ctx, clock }: TestServer): Promise<() => Promise<unknown>> {
  // Whoever has the lease asks for it again after a quarter of its time.
  clock.now += minuteMs
  const lease = { name: 'removals', holder: 'test', expires_at: clock.now + dayMs }
  const held = ctx.db.insertInto('leases').values(lease)
  await held.onConflict((conflict) => conflict.column('name').doUpdateSet(lease)).execute()
  return () => ctx.db.deleteFrom('leases').where('holder', '=', 'test').execute()
}

describeOnBothDatabases('accounts', (server) => {
  test('registering creates an account with the user as owner, and signs them in', async () => {
    const body = {
      email: ' Grace@Example.com ',
      password: 'nanoseconds',
      firstName: ' Grace ',
      lastName: 'Hopper',
    }
    const { token, user } = await server().anonymous.register({ body })
    expect(user).toMatchObject({
      email: 'grace@example.com',
      firstName: 'Grace',
      lastName: 'Hopper',
      role: 'owner',
    })
    expect(user.apiKey).toMatch(/^loci_[0-9A-Za-z]{46}$/)
    expect((await server().call('GET', '/auth/me', { token })).body).toEqual(user)
    await expect(server().anonymous.register({ body })).rejects.toMatchObject({
      status: 409,
      code: 'email_taken',
      message: 'An account with this email already exists',
    })
  })

  test.each([
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
    [{ password: 'short' }, 'password', 'Password must be at least 8 characters long'],
    [{ firstName: '  ' }, 'firstName', 'First name is required'],
    [{ lastName: 7 }, 'lastName', 'Last name must be text'],
  ])('registering with %o says what is wrong', async (change, path, message) => {
    const body = { email: 'a@example.com', password: 'long enough', firstName: 'A', lastName: 'B', ...change }
    const answer = await server().call('POST', '/auth/register', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toEqual({ code: 'validation_failed', message, details: [{ path, message }] })
  })

  test.each([
    ['password', 'This password is too common. Choose another one.'],
    ['PassWord1', 'This password is too common. Choose another one.'],
    ['12345678', 'This password is too common. Choose another one.'],
    ['aaaaaaaa', 'This password is too common. Choose another one.'],
    ['        ', 'This password is too common. Choose another one.'],
    ['Guess.Me@example.com', 'The password must not be your email address'],
    ['guess.me', 'The password must not be your email address'],
  ])('the password %j is refused at its field', async (password, message) => {
    const body = { email: 'guess.me@example.com', password, firstName: 'A', lastName: 'B' }
    const answer = await server().call('POST', '/auth/register', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toEqual({
      code: 'validation_failed',
      message,
      details: [{ path: 'password', message }],
    })
  })

  test.each([
    ['baseball', 'This password is too common. Choose another one.'],
    ['correct horse battery', 'The new password must differ from the current one'],
  ])('the password is not changed to %j', async (newPassword, message) => {
    const { token, password } = await server().signUp()
    const body = { currentPassword: password, newPassword }
    const answer = await server().call('POST', '/auth/me/password', { token, body })
    expect([answer.status, answer.body.error.details]).toEqual([400, [{ path: 'newPassword', message }]])
  })

  test('a wrong password and an unknown email get the same answer', async () => {
    const { email, password } = await server().signUp()
    const wrong = await server().call('POST', '/auth/login', { body: { email, password: 'not it' } })
    const unknown = await server().call('POST', '/auth/login', { body: { email: 'x@example.com', password } })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual(unknown.body)
    expect(wrong.body.error.code).toBe('invalid_credentials')
    expect(
      (await server().anonymous.login({ body: { email: email.toUpperCase(), password } })).user.email,
    ).toBe(email)
  })

  test('an email is the same however its characters are composed', async () => {
    const body = { password: 'nanoseconds', firstName: 'A', lastName: 'B' }
    await server().anonymous.register({ body: { ...body, email: 'CAFE\u0301@example.com' } })
    const twin = { ...body, email: 'caf\u00e9@example.com' }
    await expect(server().anonymous.register({ body: twin })).rejects.toMatchObject({ code: 'email_taken' })
    for (const email of ['caf\u00e9@example.com', 'cafe\u0301@EXAMPLE.com']) {
      const { user } = await server().anonymous.login({ body: { email, password: body.password } })
      expect(user.email).toBe('caf\u00e9@example.com')
    }
  })

  test('logging out ends the session at once', async () => {
    const { rest } = await server().signUp()
    await rest.logout()
    await expect(rest.me()).rejects.toMatchObject({ status: 401, code: 'not_authenticated' })
  })

  test('a session ends thirty days after its last use', async () => {
    const { rest } = await server().signUp()
    const lastSeen = async () => (await rest.listSessions()).sessions[0]?.lastSeenAt
    for (let use = 0; use < 2; use += 1) {
      server().clock.now += 29 * dayMs
      // Recorded in the background; the call does not wait for it.
      await expect.poll(lastSeen).toBe(toIso(server().clock.now))
    }
    server().clock.now += 31 * dayMs
    await expect(rest.me()).rejects.toMatchObject({ status: 401 })
  })

  test('all sessions of a user can be listed and ended', async () => {
    const { rest, email, password } = await server().signUp()
    const second = await server().anonymous.login({ body: { email, password } })
    const { sessions } = await rest.listSessions()
    expect(sessions.map((session) => session.current)).toEqual([false, true])
    await rest.deleteSession({ params: { id: sessions[0]!.id } })
    expect((await server().call('GET', '/auth/me', { token: second.token })).status).toBe(401)
    await expect(rest.deleteSession({ params: { id: sessions[0]!.id } })).rejects.toMatchObject({
      code: 'session_not_found',
    })
    await rest.deleteSessions()
    await expect(rest.me()).rejects.toMatchObject({ status: 401 })
  })

  test('the personal key reaches the graph, is rolled, and then no longer works', async () => {
    const { rest, apiKey } = await server().signUp()
    const withKey = createRestClient({ baseUrl: server().url, token: () => apiKey })
    await withKey.createEntity({ body: { name: 'By key', type: 'concept' } })
    await expect(withKey.listSessions()).rejects.toMatchObject({ status: 403, code: 'session_required' })
    const rolled = await rest.rollPersonalKey()
    expect(rolled.apiKey).not.toBe(apiKey)
    expect((await rest.me()).apiKey).toBe(rolled.apiKey)
    await expect(withKey.listEntities()).rejects.toMatchObject({ status: 401 })
  })

  test('changing the password requires the old one and ends the other sessions', async () => {
    const { rest, email, password } = await server().signUp()
    const other = await server().anonymous.login({ body: { email, password } })
    await expect(
      rest.changePassword({ body: { currentPassword: 'no', newPassword: 'brand new one' } }),
    ).rejects.toMatchObject({ status: 400 })
    await rest.changePassword({ body: { currentPassword: password, newPassword: 'brand new one' } })
    expect((await server().call('GET', '/auth/me', { token: other.token })).status).toBe(401)
    await rest.me()
    await server().anonymous.login({ body: { email, password: 'brand new one' } })
  })

  test('ended sessions are deleted in the background, with what led to them', async () => {
    const person = await server().signUp()
    const { accountId } = await scopeOf(server(), person)
    const { ctx, clock, anonymous } = server()
    const { email, password } = person
    clock.now += 31 * dayMs
    expect((await server().call('GET', '/auth/me', { token: person.token })).status).toBe(401)
    const left = async () => {
      const of = (table: 'sessions' | 'credentials') =>
        ctx.db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()
      const kinds = (await of('credentials')).map((row) => ('kind' in row ? row.kind : ''))
      return { sessions: (await of('sessions')).length, kinds: kinds.sort() }
    }
    expect(await left()).toEqual({ sessions: 1, kinds: ['personal_key', 'session'] })
    const { token } = await anonymous.login({ body: { email, password } })
    await sweepConnections(ctx)
    expect(await left()).toEqual({ sessions: 1, kinds: ['personal_key', 'session'] })
    expect((await server().call('GET', '/auth/me', { token })).status).toBe(200)
  })

  test('deleting the account deletes everything in it', async () => {
    const person = await server().signUp()
    const { rest, email, password, apiKey } = person
    const scope = await scopeOf(server(), person)
    await rest.createEntity({ body: { name: 'Gone', type: 'concept', observations: ['Forgotten'] } })
    const { db, dialect } = server().ctx
    const listPosted = () => postingsOf(dialect).readNewest(db, scope, ['forgotten', 'forget', '-_fo'], 10)
    expect((await listPosted()).length).toBeGreaterThan(0)
    await expect(rest.deleteAccount({ body: { password: 'wrong' } })).rejects.toMatchObject({ status: 400 })
    await rest.deleteAccount({ body: { password } })
    await finishRemovals(server().ctx)
    expect(await listPosted()).toEqual([])
    expect((await server().call('GET', '/api/entities', { token: apiKey })).status).toBe(401)
    await expect(server().anonymous.login({ body: { email, password } })).rejects.toMatchObject({
      status: 401,
    })
  })

  test('the deletion of rows that was interrupted goes on where it stopped', async () => {
    const person = await server().signUp()
    const { rest, password } = person
    const { accountId } = await scopeOf(server(), person)
    const observations = Array.from({ length: 40 }, (_, i) => `Forgotten thing number ${i}`)
    const { entity } = await rest.createEntity({ body: { name: 'Gone', type: 'concept', observations } })
    const { entity: other } = await rest.createEntity({ body: { name: 'Other', type: 'concept' } })
    const ends = { fromEntityId: entity.id, toEntityId: other.id }
    await rest.createRelation({ body: { ...ends, type: 'uses' } })
    await rest.updateEntity({ params: { id: other.id }, body: { name: 'Another', type: 'concept' } })
    await rest.createKey({ body: { name: 'agent' } })
    const { ctx } = server()
    expect(await rowsOf(ctx, accountId)).toBeGreaterThan(100)

    await rest.deleteAccount({ body: { password } })
    let transactions = 0
    const transaction: typeof ctx.dialect.transaction = (db, work) => {
      transactions++
      if (transactions > 4) throw new Error('The power went')
      return ctx.dialect.transaction(db, work)
    }
    const broken = { ...ctx, dialect: { ...ctx.dialect, transaction } }
    await expect(finishRemovals(broken)).rejects.toThrow('The power went')
    expect(await rowsOf(ctx, accountId)).toBeGreaterThan(0)
    await finishRemovals(ctx)
    expect(await rowsOf(ctx, accountId)).toBe(0)
  })

  test('a deleted account is found by nothing while its rows are still there, and any process removes them', async () => {
    const { anonymous, call, clock, ctx, url } = server()
    const person = await server().signUp()
    const { rest, apiKey, token, email, password } = person
    const { accountId } = await scopeOf(server(), person)
    const { entity } = await rest.createEntity({ body: { name: 'Gone', type: 'concept' } })
    const { tokens } = await connectApp(server(), person)
    const guest = await server().signUp('guest')
    const shared = await rest.createShare({ body: { view: { kind: 'entity', entityId: entity.id } } })
    const page = url + new URL(shared.url).pathname
    const { url: invitation } = await rest.inviteMember({ body: { email: guest.email, role: 'member' } })
    const member = await addPerson(server(), person, 'member')
    await rest.createKey({ body: { name: 'agent' } })
    const invited = `/auth/invitations/${invitation.split('#token=')[1]}`
    const statusOf = async (path: string, secret?: string) =>
      (await call('GET', path, secret === undefined ? {} : { token: secret })).status
    expect([(await fetch(page)).status, await statusOf(invited)]).toEqual([200, 200])

    const release = await withoutRemovals(server())
    const rows = await rowsOf(ctx, accountId)
    await rest.deleteAccount({ body: { password } })
    expect(await rowsOf(ctx, accountId)).toBeGreaterThan(rows / 2)
    for (const secret of [token, apiKey, tokens.access_token, member.token, member.apiKey])
      expect(await statusOf('/api/entities', secret)).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const refreshed = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(refresh),
    })
    expect(refreshed.ok).toBe(false)
    expect([(await fetch(page)).status, await statusOf(invited)]).toEqual([404, 404])
    await expect(anonymous.login({ body: { email, password } })).rejects.toMatchObject({ status: 401 })
    const again = { email, password, firstName: 'Alice', lastName: 'Again' }
    const { user } = await anonymous.register({ body: again })
    expect(user.accountId).not.toBe(person.accountId)
    expect(await arrayOf(checkAll(ctx))).toEqual([])

    const twin = await openTwin(server())
    await release()
    clock.now += minuteMs
    await expect.poll(() => rowsOf(ctx, accountId), { timeout: 20_000 }).toBe(0)
    await twin.close()
  })

  test('a member shares the memory, may not delete it, and leaves with the account', async () => {
    const owner = await server().signUp()
    const member = await addMember(server(), owner)
    expect(await member.me()).toMatchObject({ accountId: owner.accountId, role: 'member' })
    await owner.rest.createEntity({ body: { name: 'Ours', type: 'concept' } })
    expect((await member.listEntities()).total).toBe(1)
    const body = { password: owner.password }
    await expect(member.deleteAccount({ body })).rejects.toMatchObject({ code: 'not_permitted' })
    await owner.rest.deleteAccount({ body })
    await expect(member.me()).rejects.toMatchObject({ status: 401 })
    const ids = await server().ctx.db.selectFrom('users').select('email').execute()
    expect(ids.filter(({ email }) => email.endsWith(owner.email))).toEqual([])
  })

  test.each([
    '',
    'Bearer',
    'Bearer nonsense',
    'Basic abc',
    'Bearer loci_short',
    `Bearer loci_${'a'.repeat(46)}`,
  ])('the credentials %j are refused with a challenge', async (authorization) => {
    const answer = await server().call('GET', '/auth/me', { headers: { authorization } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
  })

  test('secrets are stored only as hashes or encrypted', async () => {
    const { token, apiKey, password } = await server().signUp()
    const { db } = server().ctx
    const stored = JSON.stringify([
      await db.selectFrom('users').selectAll().execute(),
      await db.selectFrom('sessions').selectAll().execute(),
    ])
    for (const secret of [token, apiKey, password]) expect(stored).not.toContain(secret)
    expect(stored).toContain('$argon2id$')
  })
})
