// @vitest-environment jsdom
import type { DeliveryDetail } from '@loci/contract/webhooks'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { deliveryWith } from '../../../test/webhooks.ts'
import { DeliveryList } from './delivery-list.tsx'

const at = '2026-01-05T09:00:00.000Z'
const failedOnce = deliveryWith({
  id: 'dlv_2',
  event: 'entity.updated',
  status: 'pending',
  attempts: [{ at, statusCode: null, ms: 10_000, error: 'Timed out' }],
  nextAttemptAt: '2026-01-05T10:00:00.000Z',
})
const list = <DeliveryList webhookId="whk_1" />
const detail = (more: Partial<DeliveryDetail> = {}): DeliveryDetail => ({
  ...deliveryWith(),
  body: '{"type":"entity.created"}',
  answer: 'ok',
  ...more,
})

test('a delivery shows its event, state and outcome', async () => {
  const gaveUp = deliveryWith({
    id: 'dlv_3',
    event: 'relation.created',
    status: 'failed',
    attempts: [{ at, statusCode: null, ms: 9, error: 'Connection refused' }],
  })
  const fresh = deliveryWith({ id: 'dlv_4', event: 'entity.deleted', status: 'pending', attempts: [] })
  serve({ listDeliveries: { deliveries: [deliveryWith(), failedOnce, gaveUp, fresh], nextCursor: null } })
  await show(list)
  const rowOf = (event: string) => screen.getByText(event).closest('button')?.textContent
  await screen.findByText('entity.created')
  expect(rowOf('entity.created')).toContain('Deliveredentity.created204 in 12 ms')
  expect(rowOf('entity.updated')).toMatch(/^Pendingentity.updatedNext attempt /)
  expect(rowOf('relation.created')).toContain('Failedrelation.createdNo response')
  expect(rowOf('entity.deleted')).toContain('Pendingentity.deletedBeing sent')
})

test("a status is filtered by the server, and another one's list is never shown for it", async () => {
  const server = serve({
    listDeliveries: ({ query }) => ({
      deliveries: query.status === 'failed' ? [] : [deliveryWith()],
      nextCursor: null,
    }),
  })
  const { user } = await show(list)
  await screen.findByText('entity.created')
  await user.click(screen.getByRole('radio', { name: 'Failed' }))
  expect(await screen.findByText('No failed deliveries')).toBeTruthy()
  expect(screen.queryByText('entity.created')).toBeNull()
  expect(server.callsOf('listDeliveries').map(({ query }) => query.status)).toEqual([undefined, 'failed'])
})

test('older deliveries are added below; a failed page can be retried', async () => {
  const server = serve({ listDeliveries: { deliveries: [deliveryWith()], nextCursor: 'older' } })
  const { user } = await show(list)
  await screen.findByText('entity.created')
  server.answer({ listDeliveries: new Refusal('invalid_cursor', 'No') })
  await user.click(button('Show more'))
  expect(await screen.findByText('Failed to load older deliveries')).toBeTruthy()
  expect(screen.getByText('entity.created')).toBeTruthy()
  server.answer({ listDeliveries: { deliveries: [failedOnce], nextCursor: null } })
  await user.click(button('Try again'))
  expect(await screen.findByText('entity.updated')).toBeTruthy()
  expect(server.callsOf('listDeliveries').at(-1)?.query).toMatchObject({ cursor: 'older' })
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('an opened delivery shows its attempts, its body to copy, and the response', async () => {
  const server = serve({
    listDeliveries: { deliveries: [deliveryWith()], nextCursor: null },
    getDelivery: { delivery: detail() },
  })
  const { user } = await show(list)
  expect(server.callsOf('getDelivery')).toEqual([])
  await user.click(await screen.findByRole('button', { name: /entity\.created/ }))
  expect(await screen.findByText(/Answered 204, 12 ms/)).toBeTruthy()
  expect(screen.getByText(/"type": "entity.created"/)).toBeTruthy()
  expect(screen.getByText('ok')).toBeTruthy()
  expect(screen.getByText('webhook-id evt_1')).toBeTruthy()
  await user.click(button('Copy body'))
  expect(await navigator.clipboard.readText()).toBe('{"type":"entity.created"}')
})

test.each([
  ['an empty answer', { answer: '' }, 'The response was empty.'],
  ['no answer', { answer: null }, 'No response yet.'],
  ['a change that is gone', { body: null }, 'This change is no longer stored.'],
  ['no attempt', { attempts: [] }, 'Being sent.'],
] as const)('%s is told in words', async (_, more, words) => {
  serve({
    listDeliveries: { deliveries: [deliveryWith()], nextCursor: null },
    getDelivery: { delivery: detail({ ...more } as Partial<DeliveryDetail>) },
  })
  const { user } = await show(list)
  await user.click(await screen.findByRole('button', { name: /entity\.created/ }))
  expect(await screen.findByText(words)).toBeTruthy()
})

test('a delivery is sent again; a refusal says why', async () => {
  const server = serve({
    listDeliveries: { deliveries: [failedOnce], nextCursor: null },
    getDelivery: { delivery: detail({ ...failedOnce }) },
    redeliver: new Refusal('webhook_disabled', 'Enable the endpoint first'),
  })
  const { user } = await show(list)
  await user.click(await screen.findByRole('button', { name: /entity\.updated/ }))
  expect(await screen.findByText(/Timed out, 10000 ms/)).toBeTruthy()
  await user.click(button('Redeliver'))
  expect((await screen.findByRole('alert')).textContent).toContain('Enable the endpoint first')
  server.answer({ redeliver: undefined })
  await user.click(button('Redeliver'))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(server.callsOf('redeliver')[1]?.params).toEqual({ id: 'whk_1', deliveryId: 'dlv_2' })
})

test('a failure to load deliveries can be retried', async () => {
  const server = serve({ listDeliveries: new Refusal('webhook_not_found', 'No') })
  const { user } = await show(list)
  expect(await screen.findByText('Failed to load deliveries')).toBeTruthy()
  server.answer({ listDeliveries: { deliveries: [deliveryWith()], nextCursor: null } })
  await user.click(button('Try again'))
  expect(await screen.findByText('entity.created')).toBeTruthy()
})
