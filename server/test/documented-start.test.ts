import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { isOnCitus } from './citus.ts'
import { composeVariables, readCompose } from './compose.ts'
import { createPostgresDatabase } from './postgres-databases.ts'

type Variables = Record<string, string>

const root = join(import.meta.dirname, '../..')
const main = join(root, 'server/bin/loci.js')
const { one, two } = readCompose()
const document = readFileSync(join(root, 'docs/install.md'), 'utf8')

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'loci-documented-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The variables that the page says to set behind a proxy. */
function proxyVariables(): Variables {
  const section = document.slice(document.indexOf('\n## Behind a proxy'))
  const block = /```\n((?:[A-Z_]+=.*\n)+)```/.exec(section)?.[1] ?? ''
  return Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2) as [string, string]),
  )
}

/** Starts the server with these variables and no others of ours; returns what it prints. */
async function start(variables: Variables): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', LOCI_LOG_LEVEL: 'silent', ...variables, PORT: '0' }
  const child = spawn(process.execPath, [main, 'serve'], { env, cwd: home })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (printed += piece))
  const exit = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exit])
  child.kill('SIGTERM')
  await exit
  return printed
}

test('behind a proxy the server starts with exactly the variables of the page', async () => {
  const variables = proxyVariables()
  expect(Object.keys(variables)).toEqual(['LOCI_PUBLIC_URL', 'LOCI_TRUST_PROXY', 'LOCI_BILLING'])
  const printed = await start({ ...variables, LOCI_DATA_DIR: join(home, 'proxy') })
  expect(printed).toContain(`Web app   ${variables.LOCI_PUBLIC_URL}`)
})

test('Compose runs two alike', () => {
  expect(two).toEqual(one)
})

test('Compose gives the server every variable of .env', () => {
  const names = [
    'LOCI_SIGN_UP',
    'LOCI_METRICS_TOKEN',
    'SMTP_URL',
    'LOCI_MAIL_FROM',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ]
  const more = Object.fromEntries(names.map((name) => [name, 'value']))
  const secrets = { LOCI_SECRET: 's'.repeat(64), POSTGRES_PASSWORD: 'p' }
  expect(composeVariables(one, { ...secrets, ...proxyVariables(), ...more })).toMatchObject({
    ...proxyVariables(),
    ...more,
  })
})

test.skipIf(isOnCitus)(
  'Compose starts with the secrets of the page, locally and behind a proxy',
  async () => {
    const printf = /^printf '(.*)' /m.exec(document)?.[1] ?? ''
    const secrets = Object.fromEntries(
      [...printf.matchAll(/([A-Z_]+)=%s/g)].map(([, name]) => [name!, 's'.repeat(64)]),
    )
    const database = await createPostgresDatabase(inject('postgresUrl'))
    const container = { HOST: '127.0.0.1', LOCI_DATA_DIR: join(home, 'compose'), DATABASE_URL: database.url }
    const local = await start({ ...composeVariables(one, secrets), ...container })
    expect(local).toContain('Web app   http://localhost:7400')
    const variables = composeVariables(one, { ...secrets, ...proxyVariables() })
    const behindProxy = await start({ ...variables, ...container })
    expect(behindProxy).toContain(`Web app   ${proxyVariables().LOCI_PUBLIC_URL}`)
    await database.drop()
  },
)
