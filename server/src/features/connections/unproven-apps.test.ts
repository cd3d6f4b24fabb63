import { expect, test } from 'vitest'
import { describeOnBothDatabases, startTestServer } from '../../../test/harness.ts'
import {
  type App,
  allow,
  authorizeUrl,
  callRequest,
  connect,
  newBrowser,
  openRequest,
  postJson,
  registerApp,
} from '../../../test/oauth.ts'
import { hourMs, minuteMs } from '../../ground/lib/time.ts'
import { sweepConnections } from './connection-sweep.ts'

const html = { headers: { accept: 'text/html,*/*' } }

describeOnBothDatabases('requests of apps that nobody has allowed yet', (server) => {
  const stored = async () => (await server().ctx.db.selectFrom('oauth_requests').selectAll().execute()).length
  const answerTo = async (app: App, change: Record<string, string | undefined>, init?: RequestInit) => {
    const response = await newBrowser()(authorizeUrl(server(), app, change), init)
    const { status, headers } = response
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return {
      status,
      location: headers.get('location'),
      error: isJson ? ((await response.json()) as { error: unknown }).error : undefined,
    }
  }

  test('wrong ones are answered on a page of this server, and send nobody elsewhere', async () => {
    const wrong: [string, Record<string, string | undefined>][] = [
      ['consent_required', { prompt: 'none' }],
      ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_request', { response_mode: 'nonsense' }],
      ['invalid_target', { resource: 'https://evil.example/mcp' }],
      ['unsupported_response_type', { response_type: 'token' }],
    ]
    const web = await registerApp(server(), { redirectTo: 'https://evil.example/callback' })
    const known = (await connect(server(), await server().signUp())).app
    for (const app of [web, known, await registerApp(server(), { redirectTo: 'cursor://evil/callback' })]) {
      for (const [error, change] of wrong) {
        const told = error === 'invalid_request' && change.response_mode ? 'unsupported_response_mode' : error
        expect([change, await answerTo(app, change)]).toEqual([
          change,
          { status: 400, location: null, error: told },
        ])
        expect([change, await answerTo(app, change, html)]).toEqual([
          change,
          { status: 303, location: `/authorize?error=${told}`, error: undefined },
        ])
      }
    }
  })

  test('an app hears of a refusal at its own address, since a person has answered', async () => {
    const app = await registerApp(server(), { redirectTo: 'https://app.example/callback' })
    const browser = newBrowser()
    const id = await openRequest(browser, authorizeUrl(server(), app))
    const { body } = await callRequest(browser, server(), await server().signUp(), `${id}/refusal`, {})
    const response = await browser(server().url + body.redirectTo)
    expect(response.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback\?error=access_denied/)
  })

  test('a state of 2 KB comes back whole, a longer one is refused and not stored', async () => {
    const app = await registerApp(server())
    const state = 'é'.repeat(1024)
    const end = await allow(server(), await server().signUp(), authorizeUrl(server(), app, { state }))
    expect(end.searchParams.get('state')).toBe(state)
    const before = await stored()
    for (const change of [{ state: `${state}x` }, { login_hint: 'x'.repeat(2_049) }]) {
      expect(await answerTo(app, change)).toEqual({ status: 400, location: null, error: 'invalid_request' })
    }
    expect(await stored()).toBe(before)
  })

  test('are counted by address, so that nobody fills the database with them', async () => {
    server().clock.now += hourMs
    const app = await registerApp(server())
    const before = await stored()
    const statuses: number[] = []
    for (let i = 0; i < 110; i++) statuses.push((await answerTo(app, {})).status)
    expect([...new Set(statuses)].sort()).toEqual([303, 429])
    expect((await stored()) - before).toBeLessThanOrEqual(100)
    const refused = await newBrowser()(authorizeUrl(server(), app))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
    expect(await answerTo(app, {}, html)).toMatchObject({ location: '/authorize?error=rate_limited' })
    server().clock.now += minuteMs
    expect(await answerTo(app, {})).toMatchObject({ location: expect.stringContaining('/oauth/requests/') })
    server().clock.now += hourMs
    await sweepConnections(server().ctx)
    expect(await stored()).toBe(0)
  })

  test('an address registered before it was refused gets no codes either', async () => {
    const app = await registerApp(server())
    const redirectTo = 'intent://evil/callback'
    const metadata = JSON.stringify({ client_id: app.clientId, redirect_uris: [redirectTo] })
    await server()
      .ctx.db.updateTable('oauth_clients')
      .set({ metadata })
      .where('id', '=', app.clientId)
      .execute()
    expect(await answerTo(app, { redirect_uri: redirectTo })).toMatchObject({ status: 400, location: null })
  })
})

test('codes go to the web, to this computer and to programs, never to schemes of the system', async () => {
  const server = await startTestServer('sqlite')
  const register = async (address: string) => {
    const response = await postJson(`${server.url}/oauth/register`, { redirect_uris: [address] })
    return [address, response.status, ((await response.json()) as { error?: string }).error]
  }
  for (const address of [
    'https://claude.ai/api/mcp/auth_callback',
    'http://127.0.0.1:33418/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback',
    'vscode-insiders://vendor.extension/callback',
    'claude://oauth/callback',
    'com.example.app:/callback',
  ])
    expect(await register(address)).toEqual([address, 201, undefined])
  for (const scheme of [
    ...[
      'mailto',
      'intent',
      'view-source',
      'filesystem',
      'jar',
      'ms-msdt',
      'search-ms',
      'ms-word',
      'tel',
      'sms',
    ],
    ...['javascript', 'vbscript', 'data', 'file', 'blob', 'about', 'ws', 'wss', 'ftp', 'chrome', 'unknown'],
    ...['x-apple.systempreferences', '.app', 'com.'],
  ]) {
    for (const address of [`${scheme}:callback`, `${scheme}://evil.example/callback`])
      expect(await register(address)).toEqual([address, 400, 'invalid_redirect_uri'])
  }
  await server.close()
})
