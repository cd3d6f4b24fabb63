import { createRestClient } from '@loci/client/rest'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../src/ground/config/config.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import { openCheckout, sendForm } from './billing.ts'
import { testConfig } from './harness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

let first: ServerProcess
let second: ServerProcess
let remove: () => Promise<void>
let config: Config

beforeAll(async () => {
  const place = await testConfig('postgres')
  remove = place.remove
  config = place.config
  first = await startServerProcess(place.config)
  second = await startServerProcess(place.config)
})
afterAll(async () => {
  await first?.stop()
  await second?.stop()
  await remove?.()
})

test('a plan that changes in one process on postgres moves the limits in another; over them only creating ends', async () => {
  const { token } = await createRestClient({ baseUrl: first.url }).register({
    body: { email: 'two@example.com', password: 'correct horse battery', firstName: 'T', lastName: 'W' },
  })
  const here = createRestClient({ baseUrl: first.url, token: () => token })
  const there = createRestClient({ baseUrl: second.url, token: () => token })
  const create = (name: string) => there.createEntity({ body: { name, type: 'concept' } })
  const entities = Array.from({ length: 1_000 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
  await there.createBatch({ body: { entities } })
  await expect(create('Too many')).rejects.toMatchObject({ code: 'plan_limit_reached' })

  await sendForm(await openCheckout({ rest: here, url: first.url }, 'starter'), { action: 'on_file' })
  const { entity } = await create('Allowed')
  await here.cancelSubscription({ body: { immediate: true } })
  await expect(create('Too many')).rejects.toMatchObject({
    status: 403,
    code: 'plan_limit_reached',
    details: [{ limit: 1_000, used: 1_001, plan: 'free' }],
  })
  expect((await there.listEntities()).total).toBe(1_001)
  const body = { name: 'Still mine', type: 'concept' }
  expect((await there.updateEntity({ params: { id: entity.id }, body })).entity.name).toBe('Still mine')
})

test('two processes on postgres with twenty operations left store twenty things between them', async () => {
  const { user } = await createRestClient({ baseUrl: first.url }).register({
    body: { email: 'twenty@example.com', password: 'correct horse battery', firstName: 'T', lastName: 'W' },
  })
  const clients = [first, second].map(({ url }) =>
    createRestClient({ baseUrl: url, token: () => user.apiKey! }),
  )
  const limit = 15_000
  const ctx = await openContext(config, pino({ level: 'silent' }))
  const { account_id } = await ctx.db
    .selectFrom('accounts')
    .select('account_id')
    .where('id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  const month = new Date().toISOString().slice(0, 7)
  await ctx.db
    .insertInto('month_counts')
    .values({ account_id, month, operations: limit - 20 })
    .execute()
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) =>
      clients[i % 2]!.createEntity({ body: { name: `Entity ${i}`, type: 'concept' } }),
    ),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'operations_limit_reached' })
  const { entities } = await ctx.db
    .selectFrom('accounts')
    .select('entities')
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  expect([results.length - refused.length, entities]).toEqual([20, 20])
  await closeContext(ctx)
})
