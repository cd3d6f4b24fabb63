import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { setPlan } from '../../../../test/accounts.ts'
import { startTestServer } from '../../../../test/harness.ts'

const patience = { timeout: 60_000, interval: 20 }

test('a name that becomes private after the endpoint was created is not connected to', async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections++
    socket.destroy()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return ['127.0.0.1', '::1', '169.254.169.254']
  }
  const server = await startTestServer('sqlite', {}, { webhooks: { lookMs: 10, resolve } })
  const alice = await server.signUp()
  await setPlan(server, alice, 'starter')
  const url = `https://rebound.example:${port}/`
  const { webhook } = await alice.rest.createWebhook({ body: { url } })
  await alice.rest.createEntity({ body: { name: 'one', type: 'thing' } })
  const [delivery] = await vi.waitUntil(async () => {
    const { deliveries } = await alice.rest.listDeliveries({ params: { id: webhook.id } })
    return deliveries.length > 0 && deliveries
  }, patience)
  expect(delivery!.attempts[0]).toMatchObject({ statusCode: null, error: 'The address is private' })
  expect(asked).toEqual(['rebound.example'])
  expect(connections).toBe(0)
  await server.close()
  listener.close()
})
