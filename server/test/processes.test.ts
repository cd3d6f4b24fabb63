import { createRestClient } from '@loci/client/rest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCheckout, sendForm } from './billing.ts'
import { testConfig } from './harness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

let first: ServerProcess
let second: ServerProcess
let remove: () => Promise<void>

beforeAll(async () => {
  const place = await testConfig('postgres')
  remove = place.remove
  first = await startServerProcess(place.config)
  second = await startServerProcess(place.config)
})
afterAll(async () => {
  await first?.stop()
  await second?.stop()
  await remove?.()
})

test('a plan that changes in one process moves the limits in another; over them only creating ends', async () => {
  const { token } = await createRestClient({ baseUrl: first.url }).register({
    body: { email: 'two@example.com', password: 'correct horse battery', firstName: 'T', lastName: 'W' },
  })
  const here = createRestClient({ baseUrl: first.url, token: () => token })
  const there = createRestClient({ baseUrl: second.url, token: () => token })
  const create = (name: string) => there.createEntity({ body: { name, type: 'concept' } })
  const entities = Array.from({ length: 1_000 }, (_, i) => ({ name: `Entity ${i}`, type: 'concept' }))
  await there.createBatch({ body: { entities } })
  await expect(create('Too many')).rejects.toMatchObject({ code: 'plan_limit_reached' })

  await sendForm(await openCheckout({ rest: here }, 'starter'), { action: 'on_file' })
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
