import { beforeAll, expect, test } from 'vitest'
import { addPerson, openTwin, restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'
import {
  allow,
  askForToken,
  authorizeUrl,
  callRequest,
  codeForm,
  connect,
  newBrowser,
  openRequest,
  postJson,
  redirectUri,
  refreshForm,
  registerApp,
} from '../../../test/oauth.ts'
import { restoreClock } from '../../../test/restore-clock.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, hourMs, minuteMs, secondMs, toIso } from '../../ground/lib/time.ts'
import { createLease } from '../../tenancy/leases/lease.ts'
import { createConnectionSweep, sweepConnections } from './connection-sweep.ts'

describeOnBothDatabases('apps connected over OAuth', (server) => {
  let person: Person

  beforeAll(async () => {
    person = await server().signUp('ada')
  })
  restoreClock(server)

  const reads = async (token: string, place: { url: string } = server()) =>
    (await fetch(`${place.url}/api/entities`, { headers: { authorization: `Bearer ${token}` } })).status

  test('an app registers, is allowed, reads and writes, and is disconnected at once in every process', async () => {
    const { tokens } = await connect(server(), person)
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'memory:read memory:write' })
    const twin = await openTwin(server())
    const agent = restWith(twin, tokens.access_token)
    await agent.createEntity({ body: { name: 'Ada', type: 'person' } })
    expect((await agent.me()).apiKey).toBeNull()
    const [change] = (await person.rest.listChanges()).changes
    expect(change!.actor).toMatchObject({ kind: 'oauth', name: 'Test app' })
    const listed = async () => (await person.rest.listConnections()).connections[0]!
    await expect.poll(async () => (await listed()).lastUsedAt).not.toBeNull()
    const connection = await listed()
    expect(connection).toMatchObject({
      client: { name: 'Test app', host: 'localhost:8765' },
      scopes: ['memory:read', 'memory:write'],
      space: { name: 'default' },
      createdAt: toIso(server().clock.now),
      lastUsedAt: toIso(server().clock.now),
    })
    await person.rest.deleteConnection({ params: { id: connection.id } })
    for (const place of [server(), twin]) expect(await reads(tokens.access_token, place)).toBe(401)
    await twin.close()
  })

  test("owners and admins see and end everybody's connections", async () => {
    const member = await addPerson(server(), person, 'member', 'connecting')
    const { tokens } = await connect(server(), { ...person, ...member })
    const list = (token: string, query = '') => server().call('GET', `/api/connections${query}`, { token })
    expect((await list(member.token, '?all=true')).body.error.code).toBe('not_permitted')
    const own = (await list(person.token)).body.connections
    const all = (await list(person.token, '?all=true')).body.connections
    const [theirs] = all.filter(({ id }: { id: string }) => !own.some((one: { id: string }) => one.id === id))
    expect(theirs.person).toMatchObject({ userId: member.userId, name: 'Max Member' })
    const end = (token: string) => server().call('DELETE', `/api/connections/${theirs.id}`, { token })
    const other = await addPerson(server(), person, 'member', 'other')
    expect((await end(other.token)).body.error.code).toBe('connection_not_found')
    expect((await end(person.token)).status).toBe(204)
    expect(await reads(tokens.access_token)).toBe(401)
    const { events } = await person.rest.listAudit({ query: { category: 'connections', limit: '2' } })
    expect(events).toMatchObject([
      { action: 'connection_revoked', actor: { userId: person.userId }, subject: { name: 'Test app' } },
      {
        action: 'connection_granted',
        actor: { userId: member.userId, kind: 'session' },
        details: { host: 'localhost:8765', scopes: 'memory:read memory:write', space: 'spc_1' },
        address: '127.0.0.0/24',
      },
    ])
  })

  test('a person sees who asks for what, and may grant less', async () => {
    const app = await registerApp(server(), { name: 'Notes' })
    const browser = newBrowser()
    const id = await openRequest(browser, authorizeUrl(server(), app))
    const { body } = await callRequest(browser, server(), person, `${id}/details`)
    expect(body).toMatchObject({
      client: { name: 'Notes', host: 'localhost:8765', isVerified: false },
      redirectUri,
      scopes: ['memory:read', 'memory:write'],
      spaces: [{ name: 'default' }],
    })
    const granted = { scopes: ['memory:read'], space: body.spaces[0].id }
    const nowhere = { ...granted, space: 'spc_zzz' }
    expect(await callRequest(browser, server(), person, `${id}/approval`, nowhere)).toMatchObject({
      status: 404,
      body: { error: { code: 'space_not_found' } },
    })
    const answer = await callRequest(browser, server(), person, `${id}/approval`, granted)
    const end = new URL((await browser(server().url + answer.body.redirectTo)).headers.get('location')!)
    expect(Object.fromEntries(end.searchParams)).toMatchObject({ state: 'a state', iss: server().url })
    const tokens = await askForToken(server(), codeForm(app, end.searchParams.get('code')!))
    expect(tokens.scope).toBe('memory:read')
    const call = { method: 'tools/call', params: { name: 'create_entities', arguments: { entities: [] } } }
    const { status, headers } = await postMcp(`${server().url}/mcp`, tokens.access_token, 'current', call)
    expect(status).toBe(403)
    expect(headers['www-authenticate']).toMatch(
      /error="insufficient_scope".*scope="memory:read memory:write"/,
    )
    expect(await reads(tokens.access_token)).toBe(200)
  })

  test('a person who refuses sends the app away, and the request is over', async () => {
    const app = await registerApp(server())
    const browser = newBrowser()
    const id = await openRequest(browser, authorizeUrl(server(), app))
    const { body } = await callRequest(browser, server(), person, `${id}/refusal`, {})
    const end = new URL((await browser(server().url + body.redirectTo)).headers.get('location')!)
    expect(Object.fromEntries(end.searchParams)).toMatchObject({ error: 'access_denied', iss: server().url })
    expect((await browser(server().url + body.redirectTo)).status).toBe(400)
  })

  test('only the browser in which a request began can allow it', async () => {
    const app = await registerApp(server())
    const id = await openRequest(newBrowser(), authorizeUrl(server(), app))
    const stranger = newBrowser()
    for (const [path, body] of [
      [`${id}/details`],
      [`${id}/approval`, { scopes: ['memory:read'], space: 'spc_1' }],
    ] as const) {
      expect(await callRequest(stranger, server(), person, path, body)).toMatchObject({
        status: 404,
        body: { error: { code: 'connection_request_not_found' } },
      })
    }
    expect((await stranger(`${server().url}/oauth/authorize/${id}`)).status).toBe(400)
  })

  test('a code works once, for a minute, for the app that proves it asked; reuse ends the connection', async () => {
    const { app, code, tokens } = await connect(server(), person)
    expect(await askForToken(server(), codeForm(app, code))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
    expect(await reads(tokens.access_token)).toBe(401)
    expect(await askForToken(server(), refreshForm(app, tokens.refresh_token))).toMatchObject({
      error: 'invalid_grant',
    })

    const other = await registerApp(server())
    const newCode = async () =>
      (await allow(server(), person, authorizeUrl(server(), app))).searchParams.get('code')!
    const spoilt = [
      { code_verifier: 'b'.repeat(64) },
      { client_id: other.clientId },
      { redirect_uri: 'http://localhost:9999/other' },
    ]
    const stolen = await newCode()
    for (const change of spoilt) {
      const form = { ...codeForm(app, stolen), ...change }
      expect(await askForToken(server(), form)).toMatchObject({ status: 400, error: 'invalid_grant' })
    }
    const late = await newCode()
    server().clock.now += 2 * minuteMs
    expect(await askForToken(server(), codeForm(app, late))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
  })

  test('refresh tokens rotate; a used one is dead after ten seconds, and ends the connection', async () => {
    const { app, tokens } = await connect(server(), person)
    server().clock.now += 2 * hourMs
    expect(await reads(tokens.access_token)).toBe(401)
    const next = await askForToken(server(), refreshForm(app, tokens.refresh_token))
    expect(next).toMatchObject({ status: 200, scope: 'memory:read memory:write' })
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(await reads(next.access_token)).toBe(200)
    server().clock.now += 10 * secondMs + 1
    expect(await askForToken(server(), refreshForm(app, tokens.refresh_token))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
    expect(await reads(next.access_token)).toBe(401)
    expect(await askForToken(server(), refreshForm(app, next.refresh_token))).toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('an app that missed an answer gets the same successor within ten seconds, from every process', async () => {
    const twin = await openTwin(server())
    const { app, tokens } = await connect(server(), person)
    const form = refreshForm(app, tokens.refresh_token)
    // Another process behind the same address.
    const askTwin = async (asked: Record<string, string>) => {
      const headers = {
        host: new URL(server().url).host,
        'content-type': 'application/x-www-form-urlencoded',
      }
      const payload = new URLSearchParams(asked).toString()
      const { statusCode, body } = await twin.app.inject({
        method: 'POST',
        url: '/oauth/token',
        headers,
        payload,
      })
      return { status: statusCode, ...JSON.parse(body) } as Awaited<ReturnType<typeof askForToken>>
    }
    const askBoth = () => [askForToken(server(), form), askTwin(form)]
    const answers = await Promise.all([...askBoth(), ...askBoth(), ...askBoth(), ...askBoth()])
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    for (const { access_token } of answers) expect(await reads(access_token)).toBe(200)

    const [{ refresh_token }] = answers
    const third = await askTwin(refreshForm(app, refresh_token))
    expect(third.status).toBe(200)
    server().clock.now += 10 * secondMs
    const late = await askForToken(server(), form)
    expect(late).toMatchObject({ status: 200, refresh_token })
    expect(await reads(late.access_token)).toBe(200)
    expect((await askForToken(server(), refreshForm(app, third.refresh_token))).status).toBe(200)
    await twin.close()
  })

  test('another app gets nothing for a refresh token, and does not end the connection', async () => {
    const { app, tokens } = await connect(server(), person)
    const form = refreshForm(app, tokens.refresh_token)
    const other = await registerApp(server())
    const stolen = { ...form, client_id: other.clientId }
    expect(await askForToken(server(), stolen)).toMatchObject({ status: 400, error: 'invalid_grant' })
    const next = await askForToken(server(), form)
    expect(next.status).toBe(200)
    expect(await askForToken(server(), stolen)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await reads(next.access_token)).toBe(200)
  })

  test('tokens are stored as hashes only', async () => {
    const { app, tokens } = await connect(server(), person)
    const next = await askForToken(server(), refreshForm(app, tokens.refresh_token))
    const { db } = server().ctx
    const rows = [
      ...(await db.selectFrom('oauth_tokens').selectAll().execute()),
      ...(await db.selectFrom('credentials').selectAll().execute()),
    ]
    const stored = JSON.stringify(rows)
    expect(stored).toContain(sha256(next.refresh_token))
    for (const { access_token, refresh_token } of [tokens, next]) {
      expect(stored).not.toContain(access_token)
      expect(stored).not.toContain(refresh_token)
    }
  })

  test('an app can end only its own connection', async () => {
    const [{ tokens, app }, other] = [await connect(server(), person), await connect(server(), person)]
    const revoke = (client_id: string) =>
      fetch(`${server().url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id, token: tokens.refresh_token }),
      })
    await revoke(other.app.clientId)
    expect(await reads(tokens.access_token)).toBe(200)
    expect((await revoke(app.clientId)).status).toBe(200)
    expect(await reads(tokens.access_token)).toBe(401)
    expect(await reads(other.tokens.access_token)).toBe(200)
  })

  test('codes go only to registered addresses, and none can be registered that could lead astray', async () => {
    const app = await registerApp(server())
    const evil = authorizeUrl(server(), app, { redirect_uri: 'https://evil.example/callback' })
    const response = await newBrowser()(evil)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    const page = await newBrowser()(evil, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      '/authorize?error=invalid_redirect_uri',
    ])
    // A client on the user's own machine can listen on any port.
    const port = 'http://localhost:1234/callback'
    await openRequest(newBrowser(), authorizeUrl(server(), app, { redirect_uri: port }))
    for (const uri of [
      'http://evil.example/',
      'javascript:alert(1)',
      'https://a.example/#x',
      'https://me@a.example/',
      '/x',
    ]) {
      const refused = await postJson(`${server().url}/oauth/register`, { redirect_uris: [uri] })
      expect([uri, refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
        uri,
        400,
        'invalid_redirect_uri',
      ])
    }
  })

  test('an app that is not registered gets no answer', async () => {
    const app = { ...(await registerApp(server())), clientId: 'cli_unknown' }
    const unknown = await newBrowser()(authorizeUrl(server(), app))
    expect([unknown.status, unknown.headers.get('location')]).toEqual([400, null])
    // A text that no database column can hold.
    const { refresh_token } = (await connect(server(), person)).tokens
    const form = refreshForm({ ...app, clientId: 'cli\0' }, refresh_token)
    expect(await askForToken(server(), form)).toMatchObject({ status: 401, error: 'invalid_client' })
  })

  test('a token for another resource is refused', async () => {
    const { app, tokens } = await connect(server(), person)
    const form = { ...refreshForm(app, tokens.refresh_token), resource: 'https://evil.example/mcp' }
    expect(await askForToken(server(), form)).toMatchObject({ status: 400, error: 'invalid_target' })
  })

  test('pages of other origins cannot reach any of it', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const path of ['/oauth/authorize', '/.well-known/oauth-authorization-server']) {
      expect((await fetch(server().url + path, { headers })).status).toBe(403)
    }
    for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke']) {
      expect((await postJson(server().url + path, {}, headers)).status).toBe(403)
    }
  })

  test('a person who leaves the account takes their apps along', async () => {
    const member = await addPerson(server(), person, 'member')
    const { tokens, app } = await connect(server(), member)
    await server().ctx.db.deleteFrom('members').where('user_id', '=', member.userId).execute()
    expect(await reads(tokens.access_token)).toBe(401)
    expect(await askForToken(server(), refreshForm(app, tokens.refresh_token))).toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('an app is confined to the chosen space, and removed with it', async () => {
    const { space } = await person.rest.createSpace({ body: { name: 'Work' } })
    const app = await registerApp(server())
    const browser = newBrowser()
    const resource = `${server().url}/mcp/spaces/Work`
    const id = await openRequest(browser, authorizeUrl(server(), app, { resource }))
    const { body } = await callRequest(browser, server(), person, `${id}/details`)
    expect(body.spaces).toEqual([{ id: space.id, name: 'Work' }])
    const granted = { scopes: ['memory:read', 'memory:write'], space: space.id }
    const answer = await callRequest(browser, server(), person, `${id}/approval`, granted)
    const end = new URL((await browser(server().url + answer.body.redirectTo)).headers.get('location')!)
    const tokens = await askForToken(server(), codeForm(app, end.searchParams.get('code')!))
    const agent = restWith(server(), tokens.access_token)
    await agent.createEntity({ body: { name: 'Only at work', type: 'thing' } })
    expect((await person.rest.listEntities({ query: { query: 'Only at work' } })).entities).toEqual([])
    const elsewhere = { headers: { authorization: `Bearer ${tokens.access_token}`, 'loci-space': 'default' } }
    expect((await fetch(`${server().url}/api/entities`, elsewhere)).status).toBe(404)
    await person.rest.deleteSpace({ params: { id: space.id } })
    expect(await reads(tokens.access_token)).toBe(401)
    expect((await person.rest.listConnections()).connections.map((one) => one.space.name)).not.toContain(
      'Work',
    )
  })

  test('whatever has expired is deleted', async () => {
    await connect(server(), person)
    const app = await registerApp(server())
    await openRequest(newBrowser(), authorizeUrl(server(), app))
    const { ctx } = server()
    const tables = ['oauth_tokens', 'oauth_grants', 'oauth_requests'] as const
    const count = async (table: (typeof tables)[number] | 'oauth_clients') =>
      (await ctx.db.selectFrom(table).selectAll().execute()).length
    const sweep = async () => {
      const rounds = createConnectionSweep(ctx)
      rounds.start()
      await rounds.close()
    }
    server().clock.now += 91 * dayMs
    const byAnother = createLease(ctx, 'expired', dayMs)
    await byAnother.hold()
    await sweep()
    for (const table of tables) expect(await count(table)).toBeGreaterThan(0)
    await byAnother.release()
    await sweepConnections(ctx)
    for (const table of tables) expect(await count(table)).toBe(0)
    expect(await count('oauth_clients')).toBeGreaterThan(0)
    server().clock.now += 365 * dayMs
    await sweepConnections(ctx)
    expect(await count('oauth_clients')).toBe(0)
    person = await server().signUp()
  })
})
