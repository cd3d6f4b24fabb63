import { expect, test } from 'vitest'
import { addMember, scopeOf, setEntityCount } from '../../../test/accounts.ts'
import { startPaidPlan } from '../../../test/billing.ts'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'
import { connect } from '../../../test/socket.ts'

describeOnBothDatabases('an operator beside a running server', (server) => {
  const loci = (args: string[], input = '', env = {}) =>
    runLociInProcess(args, { input, env: { ...environmentOf(server().config), ...env } })
  const program = (args: string[], input = '') =>
    runLoci(args, { input, env: environmentOf(server().config) })
  const statusOf = async (token: string) => (await server().call('GET', '/api/entities', { token })).status
  const login = ({ email, password }: Person, wrong = '') =>
    server().call('POST', '/auth/login', { body: { email, password: password + wrong } })

  test('suspends a user: sessions, keys and sockets end at once until the suspension is lifted', async () => {
    const alice = await server().signUp()
    const { apiKey } = await alice.rest.createKey({ body: { name: 'agent' } })
    const tokens = [alice.token, alice.apiKey, apiKey]
    const sockets = await Promise.all(tokens.map((token) => connect(server().url, token)))

    const { stdout } = await program(['user', 'suspend', alice.email.toUpperCase()])
    expect(stdout).toContain('is suspended')
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008, 1008])
    for (const token of tokens) expect(await statusOf(token)).toBe(401)
    expect((await login(alice)).body.error).toEqual({
      code: 'user_suspended',
      message: 'This account is suspended. Ask the person who runs this server.',
    })
    expect(await login(alice, '!')).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_credentials' } },
    })
    expect((await loci(['user', 'list', '--json'])).stdout).toMatch(
      new RegExp(`"email":"${alice.email}".*"suspended":true`),
    )

    await loci(['user', 'resume', alice.email])
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200])
    expect((await login(alice)).status).toBe(200)
  })

  test('deletes a member with their keys, but no owner', async () => {
    const alice = await server().signUp()
    const member = await addMember(server(), alice)
    const { email, apiKey } = await member.me()
    expect((await loci(['user', 'delete', email])).stderr).toContain('Add --yes if that is what you want.')
    expect(await statusOf(apiKey!)).toBe(200)
    expect((await loci(['user', 'delete', email, '--yes'])).code).toBe(0)
    expect(await statusOf(apiKey!)).toBe(401)
    await expect(member.me()).rejects.toMatchObject({ status: 401 })
    expect(await loci(['user', 'delete', alice.email, '--yes'])).toMatchObject({
      code: 1,
      stderr: `${alice.email} owns an account. "loci account delete ${alice.email}" deletes it with its memory.\n`,
    })
    expect(await statusOf(alice.apiKey)).toBe(200)
  })

  test('gives an account a plan that applies at once', async () => {
    const alice = await server().signUp()
    await setEntityCount(server(), alice, 1_000)
    const entity = { name: 'One more', type: 'thing' }
    await expect(alice.rest.createEntity({ body: entity })).rejects.toMatchObject({
      code: 'plan_limit_reached',
    })
    expect((await loci(['account', 'set-plan', alice.email, 'gold'])).stderr).toBe(
      'There is no plan "gold". The plans are free, starter, pro, power-user, team, self-hosted.\n',
    )
    expect((await loci(['account', 'set-plan', alice.email, 'self-hosted'])).code).toBe(0)
    await alice.rest.createEntity({ body: entity })
    const { stdout } = await loci(['account', 'list', '--json'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toContainEqual({
      id: alice.accountId,
      owner: alice.email,
      plan: 'self-hosted',
      entities: 1_001,
      storedBytes: expect.any(Number),
      suspended: false,
      createdAt: expect.any(String),
    })
    expect((await loci(['account', 'list'])).stdout).toMatch(/^OWNER +PLAN +ENTITIES/)
  })

  test('ends a sandbox plan by granting another', async () => {
    const alice = await server().signUp()
    await startPaidPlan(server(), alice, 'pro')
    expect((await loci(['account', 'set-plan', alice.email, 'team'])).code).toBe(0)
    expect(await alice.rest.subscription()).toMatchObject({ plan: 'team', currentPeriodEnd: null })
  })

  test('deletes an account for good', async () => {
    const alice = await server().signUp()
    const member = await addMember(server(), alice)
    const socket = await connect(server().url, alice.token)
    const { email } = await member.me()
    expect((await loci(['account', 'delete', email, '--yes'])).stderr).toContain('somebody else owns')
    expect((await loci(['account', 'delete', alice.email])).code).toBe(1)
    expect((await loci(['account', 'delete', alice.email, '--yes'])).code).toBe(0)
    expect(await socket.closed).toBe(1008)
    expect(await statusOf(alice.apiKey)).toBe(401)
    expect((await login(alice)).status).toBe(401)
  })

  test('lists keys and revokes one', async () => {
    const alice = await server().signUp()
    const { id, apiKey } = await alice.rest.createKey({ body: { name: 'agent' } })
    const socket = await connect(server().url, apiKey)
    const { stdout } = await loci(['key', 'list', alice.email, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ id, name: 'agent', isExpired: false })
    expect(stdout).not.toContain(apiKey)
    expect((await loci(['key', 'revoke', alice.email, id])).stdout).toBe(`Revoked ${id}.\n`)
    expect(await socket.closed).toBe(1008)
    expect(await statusOf(apiKey)).toBe(401)
    expect((await loci(['key', 'revoke', alice.email, id])).stderr).toBe('API key not found\n')
  })

  test('prints the names of keys as text that cannot control the terminal', async () => {
    const alice = await server().signUp()
    const name = '\u001b[2Jall is well\nkey_1 \u009b1A'
    await alice.rest.createKey({ body: { name: 'agent' } })
    const { accountId } = await scopeOf(server(), alice)
    const renamed = server().ctx.db.updateTable('api_keys').set({ name })
    await renamed.where('account_id', '=', accountId).where('name', '=', 'agent').execute()
    const { stdout } = await loci(['key', 'list', alice.email])
    expect(stdout).toContain(String.raw`\u001b[2Jall is well\u000akey_1 \u009b1A`)
    const json = (await loci(['key', 'list', alice.email, '--json'])).stdout
    expect(json).not.toMatch(/\p{Cc}(?!$)/u)
    expect(JSON.parse(json)).toMatchObject({ name })
  })

  test('takes a password from standard input or the environment, and prints only a generated one', async () => {
    const { email } = await server().signUp()
    const reset = ['user', 'reset-password', email]
    const canSignIn = async (password: string) =>
      (await server().call('POST', '/auth/login', { body: { email, password } })).status === 200
    const typed = await program([...reset, '--password-stdin'], 'a brand new one\n')
    expect(typed.stdout).not.toContain('brand new')
    expect(await canSignIn('a brand new one')).toBe(true)
    await loci(reset, '', { LOCI_PASSWORD: 'from the environment' })
    expect(await canSignIn('from the environment')).toBe(true)
    const released = await loci(['user', 'reset-second-factor', email])
    expect(released.stdout).toBe(`${email} signs in with the password alone.\n`)
    const made =
      /password: ([\w-]{16})\nAll sessions are ended\.\n$/.exec((await loci(reset)).stdout)?.[1] ?? ''
    expect(await canSignIn(made)).toBe(true)
    expect((await loci([...reset, '--password-stdin'], 'short\n')).stderr).toBe(
      'Password must be at least 8 characters long\n',
    )
  })
})
