import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import {
  describeOnBothDatabases,
  startTestServer,
  type TestServer,
  testConfig,
} from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'
import { startSmtpDouble } from '../../../test/smtp-double.ts'
import { indexVersion } from '../../search/store/search-index.repo.ts'
import type { Finding } from './finding.ts'

async function examine(server: TestServer, env: Record<string, string> = {}, args: string[] = []) {
  const { code, stdout, stderr } = await runLociInProcess(['doctor', '--json', ...args], {
    env: { ...environmentOf(server.config), LOCI_PUBLIC_URL: server.url, ...env },
  })
  expect(stderr).toBe('')
  const findings = stdout
    .trim()
    .split('\n')
    .map((line): Finding => JSON.parse(line))
  return { code, of: (check: string) => findings.find((finding) => finding.check === check), findings }
}

describeOnBothDatabases('the doctor', (server) => {
  test('finds nothing wrong with a server that works', async () => {
    await server().signUp()
    const { code, findings } = await examine(server())
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([])
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'database',
        'memory',
        'clock',
        'webhooks',
        'mail',
        'billing',
        'address',
        'proxy',
      ]),
    )
    expect(code).toBe(0)
    const { stdout } = await runLoci(['doctor'], {
      env: { ...environmentOf(server().config), LOCI_PUBLIC_URL: server().url },
    })
    expect(stdout).toMatch(/^ok {7}database {5}(sqlite|postgres), [\d.]+ [kM]B$/m)
  })

  test('sees an index of an older version and a job that is behind', async () => {
    const { config, ctx } = server()
    await server().signUp()
    await ctx.db.updateTable('spaces').set({ index_version: 1 }).execute()
    const metrics = createServer((_, response) =>
      response.end(
        'loci_job_behind_seconds{job="postings"} 7200\nloci_job_behind_seconds{job="webhooks"} 0\n',
      ),
    )
    await once(metrics.listen(0, '127.0.0.1'), 'listening')
    const { port } = metrics.address() as AddressInfo
    const env = {
      LOCI_PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOCI_METRICS_TOKEN: 'token-of-the-doctor-test',
      LOCI_DATA_DIR: config.dataDir,
    }
    const { code, of } = await examine(server(), env)
    expect(code).toBe(1)
    expect(of('index')).toMatchObject({ state: 'warning', says: expect.stringMatching(/older version/) })
    expect(of('jobs')).toMatchObject({
      state: 'failed',
      says: expect.stringMatching(/: postings for 120 minutes\.$/),
    })
    metrics.close()
    await ctx.db.updateTable('spaces').set({ index_version: indexVersion }).execute()
    const { of: later } = await examine(server())
    expect(later('index')).toMatchObject({ state: 'ok' })
    expect(later('jobs')).toMatchObject({ state: 'ok', says: expect.stringMatching(/^Not examined/) })
  })

  test('sees a clock that was set back and a webhook that fails', async () => {
    const { ctx } = server()
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    const account = ctx.db.selectFrom('accounts').select('account_id').orderBy('account_id', 'desc')
    const { account_id } = await account.executeTakeFirstOrThrow()
    await ctx.db
      .updateTable('spaces')
      .set({ written_at: Date.now() + 3_600_000 })
      .where('account_id', '=', account_id)
      .execute()
    await ctx.db
      .insertInto('webhooks')
      .values({
        account_id,
        id: 'whk_1',
        url: 'https://example.com',
        description: '',
        events: '["*"]',
        spaces: null,
        status: 'disabled',
        disabled_reason: 'gone',
        disabled_at: null,
        secret: '',
        old_secret: null,
        old_secret_until: null,
        created_at: 0,
        recorded_at: 0,
        last_success_at: null,
        failing_since: 1,
        retry_at: null,
      })
      .execute()
    const { code, of } = await examine(server())
    expect(of('clock')).toMatchObject({ state: 'failed', cure: expect.stringContaining('NTP') })
    expect(of('webhooks')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('1 are disabled'),
    })
    expect(code).toBe(1)
    await ctx.db.deleteFrom('webhooks').where('account_id', '=', account_id).execute()
    await ctx.db.updateTable('spaces').set({ written_at: 0 }).where('account_id', '=', account_id).execute()
  })

  test('asks the mail server, and says that an address does not answer', async () => {
    const smtp = await startSmtpDouble()
    const mail = { SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' }
    expect((await examine(server(), mail)).of('mail')).toMatchObject({ state: 'ok' })
    await smtp.close()
    const { of } = await examine(server(), { ...mail, LOCI_PUBLIC_URL: smtp.url.replace('smtp', 'http') })
    expect(of('mail')).toMatchObject({ state: 'failed', cure: 'Check SMTP_URL.' })
    expect(of('address')).toMatchObject({ state: 'failed', says: expect.stringContaining('ECONNREFUSED') })
  })
})

test('a directory without a memory is left as it is', async () => {
  const { config, remove } = await testConfig('sqlite')
  const dataDir = join(config.dataDir, 'none')
  const { code, stderr } = await runLociInProcess(['doctor'], { env: { LOCI_DATA_DIR: dataDir } })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/There is no memory in .*none yet/)])
  expect(existsSync(dataDir)).toBe(false)
  await remove()
})

test('a server that believes what callers say of their address is told so', async () => {
  const server = await startTestServer('sqlite', { trustProxy: 1 })
  try {
    expect((await examine(server)).of('proxy')).toMatchObject({
      state: 'failed',
      cure: expect.stringContaining('LOCI_TRUST_PROXY'),
    })
  } finally {
    await server.close()
  }
})

test('a backup is asked for, and one that is damaged is told from one that can be restored', async () => {
  const server = await startTestServer('sqlite')
  const file = join(server.config.dataDir, 'memory.backup')
  try {
    await server.signUp()
    expect((await examine(server)).of('backup')).toMatchObject({ state: 'warning' })
    await runLociInProcess(['backup', file], { env: environmentOf(server.config) })
    const good = await examine(server, {}, ['--backup', file])
    expect(good.of('backup')).toMatchObject({ state: 'ok' })
    expect(good.of('restore')).toMatchObject({ state: 'ok' })
    await truncate(file, 20_000)
    const bad = await examine(server, {}, ['--backup', file])
    expect(bad.of('restore')).toMatchObject({ state: 'failed' })
    expect(bad.code).toBe(1)
  } finally {
    await rm(file, { force: true })
    await server.close()
  }
})
