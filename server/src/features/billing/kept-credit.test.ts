import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import pino from 'pino'
import { expect, test } from 'vitest'
import { testConfig } from '../../../test/harness.ts'
import { testSecret } from '../../../test/postgres.ts'
import { closeContext, openContext } from '../../open-context.ts'
import { databaseFileName } from '../../store/open.ts'
import { listItems } from './invoices.repo.ts'
import { getSubscriptionRow } from './subscriptions.repo.ts'

const [before] = globSync(join(import.meta.dirname, '../../../test/kept/0.1.0/sqlite.gz'))

test('credit waiting for an invoice becomes a balance, and lines of ended plans are dropped', async () => {
  const { config, remove } = await testConfig('sqlite')
  const file = join(config.dataDir, databaseFileName)
  writeFileSync(file, gunzipSync(readFileSync(before!)))
  const old = new DatabaseSync(file)
  for (const [account, end] of [
    [901, 1_900_000_000_000],
    [902, null],
  ]) {
    old
      .prepare(
        `insert into subscriptions (account_id, plan, status, period_end, cancel_at_period_end, failed_payments, invoices_made)
         values (?, 'pro', 'active', ?, 0, 0, 1)`,
      )
      .run(account!, end!)
    const addItem = old.prepare('insert into invoice_items values (?, ?, ?, ?)')
    addItem.run(account!, 'itm_1', 'Credit from before', -1_500)
    addItem.run(account!, 'itm_2', 'Remaining time on Pro (monthly)', 700)
  }
  old.close()
  const ctx = await openContext({ ...config, secret: testSecret }, pino({ level: 'silent' }))
  const stateOf = async (accountId: number) => [
    (await getSubscriptionRow(ctx.db, accountId)).credit,
    (await listItems(ctx.db, accountId)).map(({ amount }) => amount),
  ]
  expect([await stateOf(901), await stateOf(902)]).toEqual([
    [1_500, [700]],
    [1_500, []],
  ])
  await closeContext(ctx)
  await remove()
})
