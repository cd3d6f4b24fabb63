import type { Worker } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import { setPlan } from '../../../../test/accounts.ts'
import { type DialectName, startTestServer } from '../../../../test/harness.ts'
import { type Received, startReceiver, withStatus } from '../../../../test/webhook-receiver.ts'
import { secondMs } from '../../../ground/lib/time.ts'

const patience = { timeout: 60_000, interval: 10 }
/** Between moves of the clock, the sender has time to begin. */
const slowly = { ...patience, interval: 200 }

const namesOf = (received: readonly Received[]) => received.map(({ event }) => event.data.change.after.name)

describe.each<DialectName>(['sqlite', 'postgres'])('the thread that sends webhooks (%s)', (dialect) => {
  test('dies in the middle of a request: another takes over, nothing is lost, and the endpoint is not blamed', async () => {
    const threads: Worker[] = []
    const listen = (worker: Worker) => worker.threadName === 'webhooks' && threads.push(worker)
    process.on('worker', listen)
    const receiver = await startReceiver()
    const server = await startTestServer(
      dialect,
      { webhooksAllowPrivate: true },
      { webhooks: { lookMs: 10 } },
    )
    const alice = await server.signUp()
    await setPlan(server, alice, 'starter')
    const { webhook } = await alice.rest.createWebhook({ body: { url: receiver.url } })
    receiver.answer = (response) => {
      if (receiver.received.length !== 2) response.writeHead(204).end()
    }
    const names = Array.from({ length: 4 }, (_, i) => `No ${i}`)
    for (const name of names) await alice.rest.createEntity({ body: { name, type: 'thing' } })
    // The second hangs.
    await receiver.expectCount(2)
    receiver.answer = withStatus(204)
    await threads[0]!.terminate()
    await vi.waitUntil(() => {
      server.clock.now += 5 * secondMs
      return namesOf(receiver.received).at(-1) === names.at(-1)
    }, slowly)
    const delivered = async () =>
      (await alice.rest.listDeliveries({ params: { id: webhook.id }, query: { status: 'delivered' } }))
        .deliveries
    await vi.waitUntil(async () => (await delivered()).length === 4, patience)
    // The first one's result may or may not have reached the server.
    const again = receiver.received.slice(2)
    expect(again.length).toBeGreaterThanOrEqual(3)
    expect(namesOf(again)).toEqual(names.slice(-again.length))
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
    const attempts = (await delivered()).map((delivery) => delivery.attempts)
    expect(attempts.map((made) => made.map(({ statusCode }) => statusCode))).toEqual(Array(4).fill([204]))
    const { webhook: after } = await alice.rest.getWebhook({ params: { id: webhook.id } })
    expect(after).toMatchObject({ status: 'active', failingSince: null })
    expect(threads).toHaveLength(2)
    process.off('worker', listen)
    await server.close()
    await receiver.close()
  })
})
