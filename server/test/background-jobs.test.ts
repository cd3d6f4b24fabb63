import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sweepAudit } from '../src/features/audit/audit-sweep.ts'
import { deleteEndedCheckouts } from '../src/features/billing/sandbox/sandbox.repo.ts'
import { settleAccounts } from '../src/features/billing/settle.ts'
import { describeMissingEvents } from '../src/features/billing/stripe/missing-events.ts'
import { listDueSyncs, scheduleUnsynced } from '../src/features/billing/stripe/sync-queue.repo.ts'
import { remindOfTrials } from '../src/features/billing/trial-reminders.ts'
import { queueBriefMails } from '../src/features/briefs/brief-mails.service.ts'
import { sweepConnections } from '../src/features/connections/connection-sweep.ts'
import { sweepConversations } from '../src/features/conversations/conversation-sweep.ts'
import { forgetMails, sendMails } from '../src/features/mails/send-mails.ts'
import { sweepProposals } from '../src/features/proposals/proposals-sweep.ts'
import { sweepRecalls } from '../src/features/recalls/recall-sweep.ts'
import { finishRemovals } from '../src/features/removals/removals.ts'
import { removeDeleted, sweepWebhooks } from '../src/features/webhooks/sending/sweep.ts'
import { hasWebhooks, listBehind, listRetrying } from '../src/features/webhooks/sending/targets.repo.ts'
import { createEmbedder } from '../src/ground/embedders/create-embedder.ts'
import { secondMs } from '../src/ground/lib/time.ts'
import { sweepHistory } from '../src/memory/log/history-sweep.ts'
import { listExpired } from '../src/rows/observations.repo.ts'
import { EmbeddingWorker } from '../src/search/meaning/embedding-worker.ts'
import { foldPostings } from '../src/search/store/fold-postings.ts'
import { renewIndexes } from '../src/search/store/rebuild-index.ts'
import { accountTables } from '../src/store/account-tables.ts'
import { deleteExpired } from '../src/store/delete-expired.ts'
import { listAttempts, sweepAttempts } from '../src/tenancy/auth/attempts.repo.ts'
import { deleteOldIdempotencyKeys } from '../src/tenancy/idempotency.repo.ts'
import { createLease } from '../src/tenancy/leases/lease.ts'
import { resealSecrets } from '../src/tenancy/reseal-secrets.ts'
import type { Scope } from '../src/tenancy/scope.ts'
import { trimAgents } from '../src/tenancy/usage/agents.repo.ts'
import { scopeOf } from './accounts.ts'
import { isOnCitus } from './citus.ts'
import { startEmbedderDouble } from './embedder-double.ts'
import { startTestServer, type TestServer } from './harness.ts'
import { patience } from './socket.ts'
import { fillTable, keepStatistics, sayEmpty } from './stale-statistics.ts'

/** Enough that comparing each row with each takes longer than the statement timeout. */
const rowsPerTable = 12_000
const ownTables = ['postings', 'posting_blocks', 'credentials', ...Object.keys(accountTables)]
const commonTables = ['attempts', 'used_challenges', 'oauth_requests', 'oauth_clients', 'stripe_events']
/** Their rows are those of the person, one or few. */
const keptTables = ['spaces', 'members', 'subscriptions', 'webhooks']

let server: TestServer
let scope: Scope
const source = join(import.meta.dirname, '../src')

/** Lets each kind of work take two steps of many. */
function twoSteps(): () => Promise<boolean> {
  let calls = 0
  return async () => calls++ % 3 < 2
}

/** Prepares a job. On a busy machine this may take more than a second. */
const change = (statement: ReturnType<typeof sql>) =>
  server.ctx.db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await statement.execute(tx)
  })
const count = async (table: string) => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where account_id = ${scope.accountId}`.execute(server.ctx.db)
  return rows[0]!.count
}

/** One case for each file that runs something in the background; deletions of everything come last. */
const jobs: Record<string, () => Promise<void>> = {
  'search/store/fold-postings.ts': async () => {
    await foldPostings(server.ctx)
    expect(await count('postings')).toBe(0)
  },
  'features/mails/mail-sender.ts': async () => {
    const mail = {
      from: { name: 'Loci', address: 'loci@example.com' },
      host: 'localhost',
      port: 25,
      secure: false,
      requireTls: false,
      auth: undefined,
    }
    await sendMails(server.ctx, mail, async () => {}, twoSteps())
    await change(sql`update mails set next_try_at = null`)
    await sendMails(server.ctx, mail, async () => {})
    await forgetMails(server.ctx, twoSteps())
    expect(await count('mails')).toBe(rowsPerTable - 1_000)
  },
  'features/audit/audit-sweep.ts': async () => {
    await sweepAudit(server.ctx)
  },
  'features/connections/connection-sweep.ts': async () => {
    await sweepConnections(server.ctx, twoSteps())
    expect(await count('oauth_grants')).toBeLessThan(rowsPerTable)
  },
  'features/briefs/brief-mail-rounds.ts': async () => {
    await change(sql`update brief_mails set next_at = 1`)
    await queueBriefMails(server.ctx, twoSteps())
  },
  'features/billing/trial-reminders.ts': () => remindOfTrials(server.ctx),
  'features/billing/sandbox/billing-clock.ts': async () => {
    await settleAccounts(server.ctx)
  },
  'features/billing/stripe/sync-queue.ts': async () => {
    const { ctx } = server
    await scheduleUnsynced(ctx.db, ctx.now())
    await listDueSyncs(ctx.db, ctx.now(), 100)
    await describeMissingEvents(ctx)
  },
  'features/webhooks/sending/sender.ts': async () => {
    const { db, now } = server.ctx
    expect(await hasWebhooks(db)).toBe(true)
    await listBehind(db, { accountId: 0, id: '' }, 1_000)
    await listRetrying(db, now(), 1_000)
    const lease = createLease(server.ctx, 'law', 10 * secondMs)
    await sweepWebhooks(server.ctx, lease)
    await change(sql`update webhooks set status = 'deleted'`)
    await removeDeleted(server.ctx, lease, () => false)
    expect(await count('webhooks')).toBe(0)
  },
  'search/meaning/embedding-worker.ts': async () => {
    const double = await startEmbedderDouble()
    const worker = new EmbeddingWorker(server.ctx, createEmbedder(double.config))
    await change(sql`delete from vectors`)
    worker.start()
    const failed = vi.spyOn(server.ctx.log, 'warn')
    await vi.waitFor(async () => expect(await count('vectors')).toBeGreaterThan(0), patience)
    expect(failed.mock.calls).toEqual([])
    await worker.close()
    await double.close()
  },
  'search/store/rebuild-index.ts': async () => {
    await change(sql`update spaces set index_version = 0`)
    await renewIndexes(server.ctx, server.ctx.log)
  },
  'app.ts registerResealing': async () => {
    await resealSecrets(server.ctx, new AbortController().signal)
  },
  'memory/log/history-sweep.ts': async () => {
    await change(sql`update spaces set seq = ${rowsPerTable}`)
    await sweepHistory(server.ctx, 0)
    expect(await count('past_entities')).toBeLessThan(rowsPerTable)
  },
  'features/recalls/recall-sweep.ts': async () => {
    await change(sql`update recalls set at = ${server.ctx.now()}`)
    await sweepRecalls(server.ctx)
    expect(await count('recalls')).toBeLessThan(rowsPerTable)
  },
  'features/conversations/conversation-sweep.ts': async () => {
    await change(sql`update conversations set ended_at = 1`)
    await change(sql`update spaces set conversation_days = 1`)
    await sweepConversations(server.ctx, twoSteps())
    expect(await count('conversations')).toBeLessThan(rowsPerTable)
  },
  'features/entities/expired-facts-sweep.ts': async () => {
    await change(sql`update observations set expires_at = 1`)
    expect(await listExpired(server.ctx.db, server.ctx.now(), 200)).not.toEqual([])
  },
  'features/proposals/proposals-sweep.ts': async () => {
    await change(sql`update spaces set auto_accept_days = 1`)
    await change(sql`update proposals set status = 1, decided_at = 1`)
    await sweepProposals(server.ctx)
    expect(await count('proposals')).toBe(0)
  },
  'features/removals/removals.ts': async () => {
    await change(sql`update spaces set deleted_at = 1`)
    await finishRemovals(server.ctx)
    expect(await count('entities')).toBe(0)
    await fill(ownTables)
    await sayEmpty(server.ctx.db)
    await change(sql`update accounts set deleted_at = 1 where account_id = ${scope.accountId}`)
    await finishRemovals(server.ctx)
    expect(await count('accounts')).toBe(0)
  },
}

/** Deletions that calls make in passing. */
const inPassing: Record<string, () => Promise<unknown>> = {
  sweepAttempts: async () => {
    const { db, now } = server.ctx
    const over = await listAttempts(db, [], now())
    await sweepAttempts(db, [...over.keys()], now())
  },
  deleteUsedChallenges: () => deleteExpired(server.ctx.db, 'used_challenges', server.ctx.now(), 20),
  deleteOldIdempotencyKeys: () => deleteOldIdempotencyKeys(server.ctx.db, scope.accountId, server.ctx.now()),
  deleteEndedCheckouts: () => deleteEndedCheckouts(server.ctx.db, scope.accountId, server.ctx.now()),
  trimAgents: () => trimAgents(server.ctx.db, scope.accountId),
}

const fill = async (tables: readonly string[]) => {
  const filled = tables.filter((table) => !keptTables.includes(table))
  for (const table of filled) await fillTable(server.ctx.db, table, { ...scope, count: rowsPerTable })
}

/** The files that start background work, and the parts of the app that start it once. */
function listJobs(): string[] {
  const starts =
    /\b(createPeriodicWork|createLeasedRounds|underLease|createLease|startFollower|takeLease)(<\w+>)?\(/
  // Following agents begins with files, and stores what they hold as any call does.
  const own =
    /^(tenancy\/leases|ground\/lib)\/|\.test\.ts$|webhooks\/sending\/sweep\.ts$|commands\/follow-here\.ts$/
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !own.test(file) && starts.test(readFileSync(join(source, file), 'utf8')),
  )
  const app = readFileSync(join(source, 'app.ts'), 'utf8')
  const parts = app.split(/\nfunction /).filter((part) => part.includes('AbortController'))
  return [...files, ...parts.map((part) => `app.ts ${/^\w+/.exec(part)![0]}`)]
}

describe.skipIf(isOnCitus)('on full tables that the planner believes empty', () => {
  beforeAll(async () => {
    server = await startTestServer('postgres', { statementTimeoutMs: secondMs, billing: 'off' })
    await keepStatistics(server.ctx.db)
    const person = await server.signUp()
    scope = await scopeOf(server, person)
    await person.rest.createWebhook({ body: { url: 'https://example.com/hook', events: ['*'] } })
    await fill([...ownTables, ...commonTables])
    await change(sql`update webhook_deliveries set webhook_id = (select id from webhooks)`)
  })
  afterAll(() => server?.close())

  test('every background job has a case', () => {
    expect(Object.keys(jobs).toSorted()).toEqual(listJobs().toSorted())
  })

  test.for(Object.entries({ ...inPassing, ...jobs }))(
    '%s sends no statement that takes a second',
    { timeout: 120_000 },
    async ([, run]) => {
      await sayEmpty(server.ctx.db)
      await run()
    },
  )
})
