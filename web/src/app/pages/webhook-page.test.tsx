// @vitest-environment jsdom
import type { Webhook } from '@loci/contract/webhooks'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, dialogNamed } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { webhookWith } from '../../../test/webhooks.ts'
import { WebhookPage } from './webhook-page.tsx'

const at = { at: '/webhooks/whk_1', route: '/webhooks/$webhookId' }

async function showPage(first: Partial<Webhook>, answers: Answers = {}) {
  const state = { webhook: webhookWith(first) }
  const server = serve({
    getWebhook: () => ({ webhook: state.webhook }),
    listDeliveries: { deliveries: [], nextCursor: null },
    ...answers,
  })
  const shown = await show(<WebhookPage />, at)
  await screen.findByText(state.webhook.url)
  return { ...shown, server, state }
}

test('an endpoint is disabled and enabled with one click each', async () => {
  const { user, server, state } = await showPage(
    {},
    {
      updateWebhook: ({ body }) => {
        const { status } = body as Pick<Webhook, 'status'>
        state.webhook = webhookWith({ status, disabledReason: status === 'active' ? null : 'owner' })
        return { webhook: state.webhook }
      },
    },
  )
  await user.click(button('Disable'))
  expect(await screen.findByRole('button', { name: 'Enable' })).toBeTruthy()
  expect(screen.getByText(/This endpoint receives no events. It was disabled/)).toBeTruthy()
  await user.click(button('Enable'))
  expect(await screen.findByRole('button', { name: 'Disable' })).toBeTruthy()
  expect(server.callsOf('updateWebhook').map(({ body }) => body)).toEqual([
    { status: 'disabled' },
    { status: 'active' },
  ])
})

test('a refused change leaves the old state, with the reason', async () => {
  const { user } = await showPage(
    { status: 'disabled', disabledReason: 'plan' },
    { updateWebhook: new Refusal('plan_limit_reached', 'Your plan allows 5 endpoints') },
  )
  expect(screen.getByText(/because your plan allows fewer endpoints/)).toBeTruthy()
  await user.click(button('Enable'))
  expect(await screen.findByText('Your plan allows 5 endpoints')).toBeTruthy()
  expect(button('Enable')).toBeTruthy()
})

test('the secret is rolled after a question, and the new one is shown once', async () => {
  const { user, server } = await showPage({}, { rollWebhookSecret: { secret: 'whsec_new' } })
  await user.click(button('Roll Secret'))
  const question = await dialogNamed('Roll Secret')
  expect(question.getByText(/For 24 hours, events are signed with both/)).toBeTruthy()
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(server.callsOf('rollWebhookSecret')).toEqual([])
  await user.click(button('Roll Secret'))
  await user.click((await dialogNamed('Roll Secret')).getByRole('button', { name: 'Roll Secret' }))
  expect(await screen.findByText('whsec_new')).toBeTruthy()
  await user.click(button('Dismiss'))
  expect(screen.queryByText('whsec_new')).toBeNull()
})

test('an endpoint is deleted after a question, which leads back to the list', async () => {
  const { user, server, address } = await showPage({}, { deleteWebhook: new Refusal('rate_limited', 'Wait') })
  const confirm = async () => {
    await user.click(button('Delete'))
    const question = await dialogNamed('Delete Endpoint')
    await user.click(question.getByRole('button', { name: 'Delete Endpoint' }))
  }
  await confirm()
  expect(await screen.findByText('Wait')).toBeTruthy()
  expect(address()).toBe('/webhooks/whk_1')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  server.answer({ deleteWebhook: undefined })
  await confirm()
  await waitFor(() => expect(address()).toBe('/webhooks'))
})

test('an edit starts from what is stored, and sends all of it', async () => {
  const stored = { events: ['entity.created'], description: 'Mirror' }
  const { user, server, state } = await showPage(stored, {
    updateWebhook: ({ body }) => {
      state.webhook = webhookWith({ ...stored, ...(body as Partial<Webhook>) })
      return { webhook: state.webhook }
    },
  })
  await user.click(button('Edit'))
  const dialog = await dialogNamed('Edit Endpoint')
  expect(dialog.getByLabelText<HTMLInputElement>('entity.created').checked).toBe(true)
  const description = dialog.getByLabelText('Description (optional)')
  await user.clear(description)
  await user.type(description, 'Backup')
  await user.click(dialog.getByLabelText('All events'))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.callsOf('updateWebhook').map(({ body }) => body)).toEqual([
    { url: 'https://example.com/hook', description: 'Backup', events: ['*'] },
  ])
  expect(await screen.findByText('Backup')).toBeTruthy()
})

test('a test event is sent, or refused with the reason', async () => {
  const { user, server } = await showPage({}, { testWebhook: undefined })
  await user.click(button('Send Test Event'))
  await waitFor(() => expect(server.callsOf('testWebhook')).toHaveLength(1))
  server.answer({ testWebhook: new Refusal('webhook_disabled', 'Enable the endpoint first') })
  await waitFor(() => expect(button('Send Test Event').disabled).toBe(false))
  await user.click(button('Send Test Event'))
  expect(await screen.findByText('Enable the endpoint first')).toBeTruthy()
})

test('the verification code can be shown and copied in both languages', async () => {
  const { user } = await showPage({})
  expect(screen.getByText(/createHmac/)).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Python' }))
  expect(screen.queryByText(/createHmac/)).toBeNull()
  await user.click(button('Copy code'))
  expect(await navigator.clipboard.readText()).toContain('import base64')
})

test('a missing endpoint offers no retry', async () => {
  const server = serve({
    getWebhook: new Refusal('webhook_not_found', 'Webhook not found'),
    listDeliveries: { deliveries: [], nextCursor: null },
  })
  await show(<WebhookPage />, at)
  expect(await screen.findByText('Endpoint not found')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.queryByText('Deliveries')).toBeNull()
  expect(server.callsOf('listDeliveries')).toEqual([])
})

test('a failure to load an endpoint can be retried', async () => {
  const server = serve({
    getWebhook: new Refusal('forbidden', 'Not from here'),
    listDeliveries: { deliveries: [], nextCursor: null },
  })
  const { user } = await show(<WebhookPage />, at)
  expect((await screen.findByRole('alert')).textContent).toContain('Not from here')
  server.answer({ getWebhook: { webhook: webhookWith() } })
  await user.click(button('Try again'))
  expect(await screen.findByText('https://example.com/hook')).toBeTruthy()
})

test('failed deliveries of a span of time are sent again, with their number; a refusal says why', async () => {
  const { user, server } = await showPage({}, { redeliverFailed: { count: 3 } })
  await user.click(button('Redeliver Failed'))
  await user.click(await screen.findByRole('menuitem', { name: 'Of the last 24 hours' }))
  await waitFor(() => expect(server.callsOf('redeliverFailed')).toHaveLength(1))
  const { since } = server.callsOf('redeliverFailed')[0]!.body as { since: string }
  expect(Math.round((Date.now() - Date.parse(since)) / 3_600_000)).toBe(24)
  expect(await screen.findByText('Sending 3 failed deliveries again')).toBeTruthy()
  server.answer({ redeliverFailed: new Refusal('rate_limited', 'Too many attempts. Try again in a minute.') })
  await user.click(button('Redeliver Failed'))
  await user.click(await screen.findByRole('menuitem', { name: 'All that failed' }))
  expect(await screen.findByText('Too many attempts. Try again in a minute.')).toBeTruthy()
})
