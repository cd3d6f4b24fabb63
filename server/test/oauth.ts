import { equal, match } from 'node:assert/strict'
import { createHash } from 'node:crypto'

type Place = { url: string }
type SignedIn = { token: string }

/** An OAuth client, and the browser that it redirects. */
export type App = {
  clientId: string
  redirectUri: string
  /** The PKCE verifier. */
  verifier: string
}

export const redirectUri = 'http://localhost:8765/callback'
export const verifier = 'a-verifier-that-is-long-enough-for-everybody-0123456789'
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** Registers a client dynamically, as clients do that do not know this server. */
export async function registerApp(
  { url }: Place,
  { name = 'Test app', redirectTo = redirectUri } = {},
): Promise<App> {
  const response = await postJson(`${url}/oauth/register`, { client_name: name, redirect_uris: [redirectTo] })
  const { client_id } = (await response.json()) as { client_id: string }
  equal(response.status, 201)
  return { clientId: client_id, redirectUri: redirectTo, verifier }
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** The authorization URL; `change` replaces parameters, or omits those that are undefined. */
export function authorizeUrl(
  { url }: Place,
  { clientId, redirectUri: redirect_uri }: App,
  change: Record<string, string | undefined> = {},
): string {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    scope: 'memory:read memory:write offline_access',
    state: 'a state',
    ...change,
  }
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return `${url}/oauth/authorize?${new URLSearchParams(given as [string, string][])}`
}

/** A minimal browser: it keeps cookies, and stops at each redirect. */
export function newBrowser() {
  const cookies = new Map<string, string>()
  return async (address: string, init: RequestInit = {}) => {
    const { pathname } = new URL(address)
    const sent = [...cookies.values()].filter((line) => pathname.startsWith(pathOf(line)))
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: sent.map((line) => line.split(';')[0]).join('; ') },
    })
    for (const line of response.headers.getSetCookie()) {
      cookies.set(`${line.split('=')[0]} ${pathOf(line)}`, line)
    }
    return response
  }
}
type Browser = ReturnType<typeof newBrowser>

const pathOf = (cookie: string) => /path=([^;]+)/i.exec(cookie)?.[1] ?? '/'

/** Follows an authorization URL to the consent page; returns the request's number. */
export async function openRequest(browser: Browser, address: string): Promise<string> {
  const response = await browser(address)
  const location = new URL(response.headers.get('location') ?? '', address)
  equal(response.status, 303)
  match(location.pathname, /^\/oauth\/requests\//)
  return location.pathname.split('/').at(-1)!
}

/** A call of the consent page. */
export async function callRequest(
  browser: Browser,
  { url }: Place,
  { token }: SignedIn,
  path: string,
  body?: object,
) {
  const response = await browser(`${url}/oauth/requests/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}

/** Has a person allow a client's request; returns the address where the browser ends. */
export async function allow(
  place: Place,
  person: SignedIn,
  address: string,
  scopes = ['memory:read', 'memory:write'],
): Promise<URL> {
  const browser = newBrowser()
  const id = await openRequest(browser, address)
  const { body: request } = await callRequest(browser, place, person, `${id}/details`)
  const space = request.spaces[0].id
  const { body: answer } = await callRequest(browser, place, person, `${id}/approval`, { scopes, space })
  const response = await browser(place.url + answer.redirectTo)
  return new URL(response.headers.get('location')!)
}

export type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string }

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
export async function askForToken({ url }: Place, form: Record<string, string>): Promise<any> {
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, ...((await response.json()) as object) }
}

export const codeForm = (
  { clientId, redirectUri: redirect_uri, verifier: code_verifier }: App,
  code: string,
) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri,
  code_verifier,
})

export const refreshForm = ({ clientId }: App, refresh_token: string) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token,
})

/** Connects a client to a person's memory. */
export async function connect(
  place: Place,
  person: SignedIn,
  scopes?: string[],
): Promise<{ app: App; tokens: Tokens; code: string }> {
  const app = await registerApp(place)
  const end = await allow(place, person, authorizeUrl(place, app), scopes)
  const code = end.searchParams.get('code')!
  const tokens = await askForToken(place, codeForm(app, code))
  equal(tokens.token_type, 'Bearer')
  return { app, tokens, code }
}
