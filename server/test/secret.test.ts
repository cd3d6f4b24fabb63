import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { queueMail } from '../src/features/mails/queue-mail.ts'
import type { Config } from '../src/ground/config/config.ts'
import { type MailConfig, readMail } from '../src/ground/config/config-mail.ts'
import { secretFileName } from '../src/ground/secret.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import { scopeOf } from './accounts.ts'
import { type DialectName, listenOn, testConfig } from './harness.ts'

const silent = pino({ level: 'silent' })
const main = join(import.meta.dirname, '../bin/loci.js')
const [one, two] = ['the first secret, long enough to be one', 'the other secret, long enough to be one']
const anotherSecret =
  /not the secret that this database has been used with.*LOCI_SECRET_OLD.*loci -- secret reset/

let config: Config
let remove: () => Promise<void>
afterEach(() => remove())

const serve = async (secrets: Partial<Config>) =>
  listenOn(await openContext({ ...config, ...secrets }, silent))
const open = async (secrets: Partial<Config>) =>
  closeContext(await openContext({ ...config, ...secrets }, silent))

function loci(args: string[], env: Record<string, string> = {}) {
  const place = { LOCI_DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl ?? '', LOCI_SECRET: '' }
  return promisify(execFile)(process.execPath, [main, ...args], { env: { ...process.env, ...place, ...env } })
}

/** A database that was used with the first secret. */
async function storeAlice() {
  const server = await serve({ secret: one })
  const alice = await server.signUp()
  await server.close()
  return alice
}

describe.each<DialectName>(['sqlite', 'postgres'])('the secret (%s)', (dialect) => {
  beforeEach(async () => {
    ;({ config, remove } = await testConfig(dialect))
  })

  test('is the one of the first start, or the start is refused', async () => {
    await storeAlice()
    await open({ secret: one })
    await expect(open({ secret: two })).rejects.toThrow(anotherSecret)
    for (const command of [['serve'], ['user', 'list'], ['mcp']]) {
      const refused = loci(command, { LOCI_SECRET: two, PORT: '0' })
      await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(anotherSecret) })
    }
  })

  test('changes through LOCI_SECRET_OLD, beside a process that has only the former one', async () => {
    const alice = await storeAlice()
    const former = await serve({ secret: one })
    const early = await former.signUp('early')
    await former.ctx.db.updateTable('accounts').set({ plan: 'starter' }).execute()
    const { secret } = await early.rest.createWebhook({ body: { url: 'https://receiver.invalid/' } })
    const content = { subject: 'Waiting', paragraphs: ['Not sent yet.'], footnote: '' }
    // Mail is set up, but nothing is sent: only a listening server has a sender.
    const mail = readMail({
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOCI_MAIL_FROM: 'loci@example.com',
    }) as MailConfig
    const { accountId } = await scopeOf(former, early)
    const outbox = { ...former.ctx, config: { ...config, mail } }
    await queueMail(outbox, { accountId, id: 'waiting', to: early.email, content })
    const server = await serve({ secret: two, secretOld: one })
    const late = await former.signUp('late')
    const login = () => server.anonymous.login({ body: { email: late.email, password: late.password } })
    expect((await login()).user.apiKey).toBe(late.apiKey)
    await expect.poll(() => open({ secret: two }).then(() => 'opens', String)).toBe('opens')
    await expect(open({ secret: one })).rejects.toThrow(anotherSecret)
    await former.close()
    await server.close()
    // The next start reseals whatever the previous process stored meanwhile.
    const again = await serve({ secret: two, secretOld: one })
    const listKeys = () => again.ctx.db.selectFrom('users').select('personal_key_encrypted as key').execute()
    const isOld = ({ key }: { key: string }) => again.ctx.secretBox.reseal(key) !== undefined
    await expect.poll(async () => (await listKeys()).filter(isOld)).toEqual([])
    await again.close()
    const alone = await serve({ secret: two })
    for (const { email, password, apiKey } of [alice, late]) {
      expect((await alone.anonymous.login({ body: { email, password } })).user.apiKey).toBe(apiKey)
    }
    const { secret: sealed } = await alone.ctx.db
      .selectFrom('webhooks')
      .select('secret')
      .executeTakeFirstOrThrow()
    expect(alone.ctx.secretBox.open(sealed)).toBe(secret)
    const waiting = await alone.ctx.db.selectFrom('mails').select('content').executeTakeFirstOrThrow()
    expect(alone.ctx.secretBox.open(waiting.content!)).toContain('Not sent yet.')
    await alone.close()
  })

  test('is lost: after a reset keys cannot be shown until they are rolled', async () => {
    const first = await serve({ secret: one })
    const { email, password, token, apiKey } = await first.signUp()
    const create = (url: typeof first) =>
      url.call('POST', '/api/entities', {
        token,
        body: { name: 'Ada', type: 'person' },
        headers: { 'idempotency-key': 'once' },
      })
    expect((await create(first)).status).toBe(201)
    await first.close()

    const reset = await loci(['secret', 'reset'], { LOCI_SECRET: two })
    expect(reset.stdout).toContain('those stored with another secret cannot be shown until they are rolled')
    const server = await serve({ secret: two })
    const session = await server.anonymous.login({ body: { email, password } })
    expect(session.user.apiKey).toBeNull()
    expect((await server.call('GET', '/auth/me', { token })).body.apiKey).toBeNull()
    const replay = await create(server)
    expect([replay.status, replay.body.error.code]).toEqual([409, 'idempotency_conflict'])
    expect((await server.call('GET', '/api/entities', { token: apiKey })).status).toBe(200)
    const rolled = (await server.call('POST', '/auth/me/api-key/roll', { token })).body.apiKey
    expect((await server.call('GET', '/auth/me', { token })).body.apiKey).toBe(rolled)
    await server.close()
  })
})

describe('the secret of a data directory', () => {
  beforeEach(async () => {
    ;({ config, remove } = await testConfig('sqlite'))
  })
  const file = () => join(config.dataDir, secretFileName)

  test('is created once, and missed when it is gone', async () => {
    await open({})
    const secret = readFileSync(file(), 'utf8')
    await open({})
    expect(readFileSync(file(), 'utf8')).toBe(secret)
    rmSync(file())
    await expect(open({})).rejects.toThrow(/secret of this database is missing.*loci -- secret reset/)
    expect(existsSync(file())).toBe(false)
    await open({ secret: secret.trim() })
    expect((await loci(['secret', 'reset'])).stdout).toContain('until they are rolled')
    expect(readFileSync(file(), 'utf8')).not.toBe(secret)
    await open({})
    truncateSync(file(), 0)
    await expect(open({})).rejects.toThrow(/secret is empty/)
  })

  test('is not enough for PostgreSQL, where other machines need it too', async () => {
    await expect(open({ databaseUrl: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
      /^Set LOCI_SECRET when/,
    )
  })
})
