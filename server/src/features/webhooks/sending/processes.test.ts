import { createRestClient } from '@loci/client/rest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTwin, setPlan } from '../../../../test/accounts.ts'
import { startTestServer, testConfig } from '../../../../test/harness.ts'
import { startServerProcess } from '../../../../test/server-process.ts'
import { type Received, type Receiver, startReceiver, withStatus } from '../../../../test/webhook-receiver.ts'

const options = { webhooks: { lookMs: 10 } }

describe.each(['sqlite', 'postgres'] as const)('webhooks of several processes (%s)', (dialect) => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  const namesOf = (received: readonly Received[]) => received.map(({ event }) => event.data.change.after.name)
  /** Each event once, however often it arrived. */
  const distinct = (received: readonly Received[]) => [
    ...new Map(received.map((one) => [one.headers['webhook-id'], one])).values(),
  ]

  test('one process sends at a time, whoever wrote; another takes over when it stops', async () => {
    const server = await startTestServer(dialect, { webhooksAllowPrivate: true }, options)
    const twin = await openTwin(server, options)
    const alice = await server.signUp()
    await setPlan(server, alice, 'starter')
    await alice.rest.createWebhook({ body: { url: receiver.url } })
    const there = createRestClient({ baseUrl: twin.url, token: () => alice.token })
    const names = Array.from({ length: 30 }, (_, i) => `No ${i}`)
    for (const [i, name] of names.entries()) {
      await (i % 2 === 0 ? alice.rest : there).createEntity({ body: { name, type: 'thing' } })
    }
    await receiver.expectCount(30)
    await twin.close()
    await alice.rest.createEntity({ body: { name: 'by the first', type: 'thing' } })
    await receiver.expectCount(31)
    const third = await openTwin(server, options)
    await server.app.close()
    const elsewhere = createRestClient({ baseUrl: third.url, token: () => alice.token })
    await elsewhere.createEntity({ body: { name: 'by the third', type: 'thing' } })
    await receiver.expectCount(32)
    expect(namesOf(receiver.received)).toEqual([...names, 'by the first', 'by the third'])
    await third.close()
    await server.close()
  })

  test('whatever was committed before a kill -9 is sent after it, in order', async () => {
    const { config, remove } = await testConfig(dialect)
    const env = { LOCI_WEBHOOKS_ALLOW_PRIVATE: 'true', LOCI_BILLING: 'off' }
    const first = await startServerProcess(config, { env })
    const { token } = await createRestClient({ baseUrl: first.url }).register({
      body: { email: 'a@example.com', password: 'correct horse battery', firstName: 'A', lastName: 'B' },
    })
    const rest = createRestClient({ baseUrl: first.url, token: () => token })
    await rest.createWebhook({ body: { url: receiver.url } })
    receiver.answer = (response) => {
      if (receiver.received.length < 4) response.writeHead(200).end()
    }
    const names = Array.from({ length: 10 }, (_, i) => `No ${i}`)
    for (const name of names) await rest.createEntity({ body: { name, type: 'thing' } })
    // The fourth hangs; the first three may or may not have been recorded as sent.
    await receiver.expectCount(4)
    await first.kill()
    receiver.answer = withStatus(200)
    const second = await startServerProcess(config, { env })
    await expect.poll(() => distinct(receiver.received).length).toBe(names.length)
    expect(namesOf(distinct(receiver.received))).toEqual(names)
    expect(namesOf(receiver.received.slice(4))).toEqual(names.slice(-(receiver.received.length - 4)))
    expect(await second.stop()).toBe(0)
    await remove()
  })
})
