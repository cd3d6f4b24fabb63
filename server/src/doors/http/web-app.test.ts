import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness.ts'

const script = `export const text = '${'remember '.repeat(400)}'`
const shell = '<meta name="csp-nonce" content="{{nonce}}"><div id="root">the app</div>'
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let webDir: string
let server: TestServer

function buildWeb(): string {
  const dir = mkdtempSync(join(tmpdir(), 'loci-web-'))
  mkdirSync(join(dir, 'assets'))
  writeFileSync(join(dir, 'index.html'), shell)
  writeFileSync(join(dir, 'landing.html'), '<link rel="canonical" href="{{publicUrl}}/"><h1>Landing</h1>')
  writeFileSync(join(dir, 'pricing.html'), '<h1>Pricing</h1><a href="mailto:{{contactEmail}}?subject=x">')
  writeFileSync(join(dir, 'robots.txt'), 'User-agent: *\n')
  writeFileSync(join(dir, 'assets', 'app-1a2b.js'), script)
  writeFileSync(join(dir, 'assets', 'app-1a2b.js.br'), brotliCompressSync(script))
  writeFileSync(join(dir, 'assets', 'app-1a2b.js.gz'), gzipSync(script))
  return dir
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })

/** Sends the path unchanged; `fetch` would normalise it. */
function getRaw(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    send({ hostname, port, path, headers: page }, (response) => {
      let body = ''
      response.on('data', (part) => {
        body += part
      })
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    })
      .on('error', reject)
      .end()
  })
}

beforeAll(async () => {
  webDir = buildWeb()
  server = await startTestServer('sqlite', {
    webDir,
    publicUrl: 'https://loci.example.org',
    contactEmail: 'sales@example.org',
  })
})
afterAll(async () => {
  await server.close()
  rmSync(webDir, { recursive: true })
})

describe('documents', () => {
  test.each(['/dashboard', '/entities/ent_1', '/api-keys', '/graph?limit=100', '/nothing/like/this'])(
    '%s is answered with the app, which finds its own way',
    async (path) => {
      const answer = await get(path, page)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(await answer.text()).toContain('the app')
    },
  )

  test("/ and /pricing have documents of their own, with this server's addresses in them", async () => {
    const landing = await get('/')
    expect(await landing.text()).toContain('href="https://loci.example.org/"><h1>Landing</h1>')
    expect(landing.headers.get('cache-control')).toBe('no-cache')
    expect(await (await get('/pricing?from=mail')).text()).toContain('mailto:sales@example.org?subject')
  })

  test('/pricing/ redirects to /pricing', async () => {
    expect(await fetch(`${server.url}/pricing/`, { headers: page, redirect: 'manual' })).toMatchObject({
      status: 301,
    })
    expect(await (await get('/pricing/', page)).text()).toContain('Pricing')
  })

  test('an unchanged document is not sent again', async () => {
    const first = await get('/', page)
    const tag = first.headers.get('etag')!
    expect((await get('/', { ...page, 'if-none-match': tag })).status).toBe(304)
    expect((await get('/pricing', { ...page, 'if-none-match': tag })).status).toBe(200)
  })

  test.each(['br', 'gzip'])('public documents come in %s to who takes it', async (encoding) => {
    const answer = await get('/', { 'accept-encoding': encoding })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await answer.text()).toContain('Landing')
  })

  test('a refused encoding is not sent', async () => {
    const answer = await get('/', { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test.each(['/', '/pricing', '/dashboard', '/assets/app-1a2b.js', '/robots.txt'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const head = await fetch(`${server.url}${path}`, { method: 'HEAD', headers: page })
      const full = await get(path, page)
      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
      for (const name of ['content-type', 'cache-control'])
        expect(head.headers.get(name)).toBe(full.headers.get(name))
    },
  )
})

describe('security headers', () => {
  test('the app gets a fresh nonce in each response, in the policy and in the page', async () => {
    const nonceOf = async () => {
      const answer = await get('/dashboard', page)
      const policy = answer.headers.get('content-security-policy')!
      const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1]
      expect(await answer.text()).toContain(`<meta name="csp-nonce" content="${nonce}">`)
      return nonce
    }
    expect(await nonceOf()).not.toBe(await nonceOf())
  })

  test.each(['/', '/dashboard', '/api/docs'])('%s may load our own files only', async (path) => {
    const policy = (await get(path, page)).headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]),
    )
  })

  test('with Stripe the app may load its card form, but public pages may not', async () => {
    const stripe = {
      secretKey: 'sk_test',
      publishableKey: 'pk_test',
      webhookSecret: 'whsec_test',
      prices: {},
      automaticTax: true,
      apiUrl: undefined,
    }
    const selling = await startTestServer('sqlite', { webDir, billing: 'stripe', stripe })
    const policyOf = async (path: string) =>
      (await fetch(`${selling.url}${path}`, { headers: page })).headers.get('content-security-policy')
    try {
      expect(await policyOf('/billing')).toContain("script-src 'self' https://js.stripe.com")
      expect(await policyOf('/pricing')).not.toContain('stripe')
    } finally {
      await selling.close()
    }
  })

  test.each(['/', '/dashboard', '/api/nothing', '/assets/app-1a2b.js', '/healthz'])(
    '%s carries the headers that every answer has',
    async (path) => {
      const { headers } = await get(path, page)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    },
  )
})

describe('files', () => {
  test.each(['br', 'gzip', 'identity'])(
    'a hashed asset is cached for ever and sent as %s',
    async (encoding) => {
      const answer = await get('/assets/app-1a2b.js', { 'accept-encoding': encoding })
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(await answer.text()).toBe(script)
    },
  )

  test('files beside the documents are cached for minutes', async () => {
    const answer = await get('/robots.txt')
    expect(await answer.text()).toBe('User-agent: *\n')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
  })

  test.each([
    '/assets/gone-1a2b.js',
    '/favicon.ico',
    '/api/nothing',
    '/auth/nothing',
    '/mcp/nothing',
    '/api',
  ])('%s is 404 in JSON and not kept', async (path) => {
    const answer = await get(path, path.startsWith('/favicon') ? {} : page)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('a client that does not accept HTML gets 404, not a page', async () => {
    expect((await get('/dashboard', { accept: 'application/json' })).status).toBe(404)
  })

  test('only GET and HEAD return pages', async () => {
    const answer = await fetch(`${server.url}/dashboard`, { method: 'POST', headers: page })
    expect(answer.status).toBe(404)
  })

  test.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/....//secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/../secret.txt',
    '//etc/passwd',
    '/assets/%00',
  ])('%s does not lead out of the built files', async (path) => {
    writeFileSync(join(webDir, '../..', 'secret.txt'), 'the secret')
    const { status, body } = await getRaw(path)
    expect(body).not.toMatch(/the secret|root:/)
    expect([200, 400, 403, 404]).toContain(status)
    if (status === 200) expect(body).toContain('the app')
  })
})

describe('API documentation', () => {
  test('is a page whose every file comes from this server', async () => {
    const html = await (await get('/api/docs', page)).text()
    const files = [...html.matchAll(/(?:src|href)="(\/api[^"]+)"/g)].map(([, file]) => file!)
    expect(files).toHaveLength(4)
    for (const file of files) {
      const answer = await get(file)
      expect([file, answer.status]).toEqual([file, 200])
      expect((await answer.text()).length).toBeGreaterThan(100)
    }
    expect(html).not.toMatch(/<script>|<style>/)
  })
})

describe('without a built web app', () => {
  test('the API answers, and / says what to run', async () => {
    const bare = await startTestServer('sqlite', { webDir: join(tmpdir(), 'loci-no-such-directory') })
    try {
      const home = await fetch(`${bare.url}/`, { headers: page })
      expect([home.status, await home.text()]).toEqual([
        503,
        expect.stringContaining('npm run build --workspace web'),
      ])
      expect((await fetch(`${bare.url}/healthz`)).status).toBe(200)
      expect((await fetch(`${bare.url}/dashboard`, { headers: page })).status).toBe(404)
      expect(home.headers.get('strict-transport-security')).toBeNull()
    } finally {
      await bare.close()
    }
  })
})
