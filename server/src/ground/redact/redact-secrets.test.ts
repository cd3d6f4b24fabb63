import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { base62, secrets, upper } from '../../../test/public-secrets.ts'
import { redactSecrets } from './redact-secrets.ts'
import { secretKinds } from './secret-kinds.ts'

const places: [string, (secret: string) => string][] = [
  ['alone', (secret) => secret],
  ['in prose', (secret) => `Please use ${secret} for staging.`],
  ['in JSON', (secret) => `{"input":"run it with ${secret.replaceAll('"', '\\"')}"}`],
  ['in a file of variables', (secret) => `# staging\nVALUE='${secret}'\nNEXT=1`],
]

const texts = secrets.map(([kind, secret, put]) => ({ kind, secret, text: put ? put(secret) : secret }))

/** The longest run of characters of a secret: what must not be left. */
function coreOf(secret: string): string {
  const runs = secret.match(/[A-Za-z0-9+/_-]{6,}/g) ?? []
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? secret
}

describe('redactSecrets', () => {
  test.each(places)('stores none of the public kinds of secrets %s', (_, put) => {
    const left = texts.filter(({ kind, secret, text }) => {
      const found = redactSecrets(put(text))
      return found.text.includes(coreOf(secret)) || !found.text.includes(`[redacted: ${kind}]`)
    })
    expect(left.map(({ kind, text }) => `${kind}: ${redactSecrets(put(text)).text}`)).toEqual([])
    expect(new Set(secrets.map(([kind]) => kind)).size).toBeGreaterThanOrEqual(45)
  })

  test('counts each secret and leaves the text around them', () => {
    const [a, b] = [`ghp_${base62(36)}`, `AKIA${upper(16)}`]
    expect(redactSecrets(`push with ${a}, upload with ${b}.`)).toEqual({
      text: 'push with [redacted: github-token], upload with [redacted: aws-access-key].',
      redacted: 2,
    })
  })

  test('redacts a redacted text no further', () => {
    for (const { text } of texts) {
      const once = redactSecrets(`so ${text} it is`).text
      expect(redactSecrets(once)).toEqual({ text: once, redacted: 0 })
    }
  })

  test.each([
    'const token = tokens.at(-1)',
    'password = hashPassword2(input)',
    'const { password: input1, token: token2 } = body1',
    'password is checked',
    'the password is stored as argon2 does',
    "const apiKey = process.env.API_KEY ?? ''",
    'export API_KEY=your-api-key-goes-here-1234567890',
    'the key is in docs/decisions/097-replayed-secrets.md',
    'commit 3f2a9c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b',
    'primary_key: 550e8400-e29b-41d4-a716-446655440000',
    'sha512-oBv8X0dYqP2sKjQ9iVtY3Zy1mW4nR5uT6aE7cG8hJ0kL1pF2dS3xQ4wB5vN6zM7==',
    'skeleton-loading-animation-duration-2000ms',
    'token_usage_record 1795448096 input_tokens: 12345678',
    'if (text.includes("-----BEGIN PRIVATE KEY-----")) throw new Error("no")\nconst next = 1',
    'https://user:password@example.com is the form',
  ])('leaves %j as it is', (text) => {
    expect(redactSecrets(text)).toEqual({ text, redacted: 0 })
  })

  test('removes what is private', () => {
    expect(redactSecrets('a <private>my salary</private> b').text).toBe('a [redacted: private] b')
    expect(redactSecrets('a <PRIVATE>x <private>y</private> z</Private> b')).toEqual({
      text: 'a [redacted: private] b',
      redacted: 1,
    })
    expect(redactSecrets('</private> a <private>\nx\n</private>').text).toBe(
      '</private> a [redacted: private]',
    )
  })

  test.each([
    ['a <private>my salary\nis b', 'a [redacted: private]'],
    ['<private>a <private>b</private> c', '[redacted: private]'],
    ['<private>a</private> b <Private> c </p>', '[redacted: private] b [redacted: private]'],
    ['a <private >b</private\n> c <PRiVATE>d', 'a [redacted: private] c [redacted: private]'],
    ['in `<private>` tags, <private>a', 'in `<private>` tags, [redacted: private]'],
  ])('removes all that follows a tag that is never closed from %j', (text, kept) => {
    expect(redactSecrets(text).text).toBe(kept)
  })

  test('leaves a text as it is that only speaks of the tag, in backquotes', () => {
    expect(redactSecrets('Begin with `<private>`, then say it').redacted).toBe(0)
  })

  test('touches under one in a thousand lines of ordinary code', async () => {
    let lines = 0
    let touched = 0
    for await (const path of glob('node_modules/{fastify,zod,kysely,pg,ws,commander}/**/*.{js,ts,md}')) {
      const text = readFileSync(path, 'utf8')
      lines += text.split('\n').length
      touched += redactSecrets(text).redacted
    }
    expect(lines).toBeGreaterThan(100_000)
    expect(touched / lines).toBeLessThan(0.001)
  })

  // Each is the beginning of a pattern, again and again: what a pattern that is not linear would choke on.
  test.each([
    ...new Set(secretKinds.map(({ holds }) => holds)),
    '-----BEGIN PRIVATE KEY-----',
    '<private>',
    '-eyJ',
    'eyJaaaaaaaaaa.eyJ',
    'a://b:',
    'password is ',
    'token token ',
    '"secret":',
    '\\\\"',
    'curl -u ',
    'login a password ',
    'sk-a',
    'a',
    'a.',
    ' ',
  ])('takes time in proportion to 1 MB of %j', (hostile) => {
    const text = hostile.repeat(Math.ceil(1_000_000 / hostile.length))
    const known = processorTime(() => plainLoop(text))
    expect(processorTime(() => redactSecrets(text))).toBeLessThan(400 * Math.max(known, 1000))
  })
})

/** Microseconds of this process. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function plainLoop(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) | 0
  return sum
}
