// @vitest-environment jsdom
import type { Webhook } from '@loci/contract/webhooks'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, dialogNamed } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { webhookWith } from '../../../test/webhooks.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

const page = (
  <>
    <WebhooksPage />
    <DiscardDialog />
  </>
)

test.each(['member', 'viewer'] as const)('a %s is told who manages them, and asks nothing', async (role) => {
  const server = serve({})
  await show(page, { as: personAs(role) })
  expect(screen.getByText("Only owners and admins can manage this account's webhooks.")).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('a new endpoint shows its secret once, until it is dismissed', async () => {
  const webhooks: Webhook[] = []
  const server = serve({
    listWebhooks: () => ({ webhooks }),
    createWebhook: () => {
      webhooks.push(webhookWith({ description: 'Mirror' }))
      return { webhook: webhooks[0]!, secret: 'whsec_once' }
    },
  })
  const { user } = await show(page, { as: personAs('admin') })
  await user.click(await screen.findByRole('button', { name: 'Add Your First Endpoint' }))
  const dialog = await dialogNamed('Add Endpoint')
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Add Endpoint' })
  await user.type(dialog.getByLabelText('Endpoint URL'), ' https://example.com/hook')
  await user.type(dialog.getByLabelText('Description (optional)'), 'Mirror ')
  await user.click(dialog.getByLabelText('Selected events'))
  expect(submit.disabled).toBe(true)
  await user.click(dialog.getByLabelText('relation.created'))
  await user.click(dialog.getByLabelText('entity.created'))
  await user.click(submit)
  expect(await screen.findByText('whsec_once')).toBeTruthy()
  expect(server.callsOf('createWebhook').map(({ body }) => body)).toEqual([
    {
      url: 'https://example.com/hook',
      description: 'Mirror',
      events: ['entity.created', 'relation.created'],
    },
  ])
  expect(within(await screen.findByRole('article')).getByText('Mirror')).toBeTruthy()
  await user.click(button('Copy secret'))
  expect(await navigator.clipboard.readText()).toBe('whsec_once')
  await user.click(button('Dismiss'))
  expect(screen.queryByText('whsec_once')).toBeNull()
})

test('a refused address is explained, and the next dialog starts without the reason', async () => {
  serve({
    listWebhooks: { webhooks: [] },
    createWebhook: new Refusal('webhook_url_refused', 'This address is not public'),
  })
  const { user } = await show(page)
  await user.click(await screen.findByRole('button', { name: 'Add Endpoint' }))
  const dialog = await dialogNamed('Add Endpoint')
  const url = dialog.getByLabelText<HTMLInputElement>('Endpoint URL')
  await user.type(url, 'https://10.0.0.1/{Enter}')
  expect(await dialog.findByText('This address is not public')).toBeTruthy()
  expect(url.value).toBe('https://10.0.0.1/')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(button('Add Endpoint'))
  const again = await dialogNamed('Add Endpoint')
  expect(again.queryByText('This address is not public')).toBeNull()
  expect(again.getByLabelText<HTMLInputElement>('Endpoint URL').value).toBe('')
})

test('an endpoint that needs attention says why, and links to its page', async () => {
  const day = '2026-01-05T09:00:00.000Z'
  const webhooks = [
    webhookWith({ failingSince: day, events: ['entity.created'] }),
    webhookWith({
      id: 'whk_2',
      url: 'https://example.org/gone',
      status: 'disabled',
      disabledReason: 'gone',
      disabledAt: day,
    }),
    webhookWith({ id: 'whk_3', url: 'https://example.net/fine' }),
  ]
  serve({ listWebhooks: { webhooks } })
  const { user, address } = await show(page)
  const [failing, gone, fine] = (await screen.findAllByRole('article')).map((card) => within(card))
  expect(failing!.getByText('Failing')).toBeTruthy()
  expect(failing!.getByText(/has been failing since .* It will be disabled after 5 days/)).toBeTruthy()
  expect(failing!.getByText('entity.created')).toBeTruthy()
  expect(gone!.getByText('Disabled')).toBeTruthy()
  expect(gone!.getByText(/It was disabled on .* because it answered 410 Gone/)).toBeTruthy()
  expect(fine!.getByText('Active')).toBeTruthy()
  expect(fine!.getByText('All events')).toBeTruthy()
  expect(fine!.getByText('Never')).toBeTruthy()
  await user.click(gone!.getByRole('link', { name: 'https://example.org/gone' }))
  expect(address()).toBe('/webhooks/whk_2')
})

test('a failure to load endpoints can be retried', async () => {
  const server = serve({ listWebhooks: new Refusal('rate_limited', 'Too many calls') })
  const { user } = await show(page)
  expect((await screen.findByRole('alert')).textContent).toContain('Too many calls')
  expect(screen.queryByText('No endpoints yet')).toBeNull()
  server.answer({ listWebhooks: { webhooks: [] } })
  await user.click(button('Try again'))
  expect(await screen.findByText('No endpoints yet')).toBeTruthy()
})
