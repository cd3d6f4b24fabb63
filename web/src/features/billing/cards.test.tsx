// @vitest-environment jsdom
import type { PaymentMethod, Subscription } from '@loci/contract/billing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { cardEnding, subscriptionWith } from '../../../test/billing.ts'
import { button, dialogNamed, field, itemWith } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { AddCardDialog } from './add-card-dialog.tsx'
import { PaymentMethodList } from './payment-method-list.tsx'
import { RemoveCardDialog } from './remove-card-dialog.tsx'

const visa = cardEnding('4242', { isDefault: true })
const amex = cardEnding('0005', { brand: 'amex' })
const intent = { clientSecret: 'seti_1', gateway: 'sandbox', publishableKey: null } as const
const added = { status: 'succeeded', paymentMethod: visa } as const

test('cards show brand and last digits; one of them is the default', async () => {
  const onRemove = vi.fn()
  const server = serve({
    setDefaultPaymentMethod: new Refusal('payment_method_not_found', 'This card is gone'),
  })
  const { user } = await show(<PaymentMethodList cards={[visa, amex]} onRemove={onRemove} />)
  const first = await itemWith('Visa •••• 4242')
  expect(first.getByText('Default')).toBeTruthy()
  expect(first.getByText('Expires 04/2031')).toBeTruthy()
  const second = await itemWith('American Express •••• 0005')
  await user.click(second.getByRole('button', { name: 'Set as Default' }))
  expect(await screen.findByText('This card is gone')).toBeTruthy()
  server.answer({
    setDefaultPaymentMethod: { paymentMethods: [amex, visa] },
  })
  await user.click(second.getByRole('button', { name: 'Set as Default' }))
  expect(await screen.findByText('Default payment method updated')).toBeTruthy()
  expect(server.callsOf('setDefaultPaymentMethod')[1]?.params).toEqual({ id: 'card_0005' })
  await user.click(button('Remove American Express ending in 0005'))
  expect(onRemove).toHaveBeenCalledExactlyOnceWith(amex)
})

test('without a card, the list says so', async () => {
  serve({})
  await show(<PaymentMethodList cards={[]} onRemove={() => {}} />)
  expect(screen.getByText('No payment methods on file')).toBeTruthy()
})

type Removal = { card?: PaymentMethod; needed: boolean; subscription?: Subscription }

async function showRemoval({ card = visa, needed, subscription = subscriptionWith() }: Removal) {
  const server = serve({ deletePaymentMethod: undefined })
  const onClose = vi.fn()
  const { user } = await show(<RemoveCardDialog opened {...{ card, needed, subscription, onClose }} />)
  const dialog = await dialogNamed('Remove Payment Method')
  return { server, user, dialog, onClose }
}

test('a card that is not needed is removed after one question', async () => {
  const { server, user, dialog, onClose } = await showRemoval({ card: amex, needed: false })
  expect(dialog.getByText('American Express ending in 0005 will no longer be charged.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Payment method removed')).toBeTruthy()
  expect(server.callsOf('deletePaymentMethod')).toMatchObject([{ params: { id: 'card_0005' } }])
  expect(onClose).toHaveBeenCalledOnce()
})

test("a plan's only card is removed after two questions, the first of which explains the consequences", async () => {
  const { server, user, dialog } = await showRemoval({ needed: true })
  expect(dialog.getByText(/the only payment method for Pro/).textContent).toContain(
    'Without it, the payment on Feb 1, 2027 (UTC) fails',
  )
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(server.callsOf('deletePaymentMethod')).toEqual([])
  expect(dialog.getByText('Are you sure? No payment method will be left for Pro.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Remove Last Payment Method' }))
  expect(await screen.findByText('Payment method removed')).toBeTruthy()
})

test.each<[string, Partial<Subscription>, string]>([
  ['a trial', { status: 'trialing' }, 'when the trial ends on Feb 1, 2027 (UTC)'],
  [
    'what is due',
    { status: 'past_due', pastDue: { nextTryAt: null, endsAt: null } },
    'Without it, the amount due cannot be paid',
  ],
])('the warning names %s', async (_, change, words) => {
  const { dialog } = await showRemoval({ needed: true, subscription: subscriptionWith(change) })
  expect(dialog.getByText(/the only payment method/).textContent).toContain(words)
})

test('a card that could not be removed says why', async () => {
  const { server, user, dialog, onClose } = await showRemoval({ needed: false })
  server.answer({ deletePaymentMethod: new Refusal('billing_unavailable', 'Stripe does not answer') })
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Stripe does not answer')).toBeTruthy()
  expect(onClose).toHaveBeenCalledOnce()
})

async function showAdding(answers: Answers) {
  const server = serve({ createSetupIntent: intent, ...answers })
  const onClose = vi.fn()
  const { user } = await show(
    <>
      <AddCardDialog opened onClose={onClose} />
      <DiscardDialog />
    </>,
  )
  return { server, user, onClose }
}

test('a test card is picked, sent and added', async () => {
  const { server, user, onClose } = await showAdding({ confirmTestCard: added })
  await user.click(await screen.findByRole('button', { name: '4242 4242 4242 4242' }))
  await user.click(button('Add Card'))
  expect(await screen.findByText('Payment method added successfully')).toBeTruthy()
  expect(onClose).toHaveBeenCalledOnce()
  expect(server.callsOf('confirmTestCard').map(({ body }) => body)).toEqual([
    { number: '4242 4242 4242 4242', expMonth: 12, expYear: 2034, cvc: '123', clientSecret: 'seti_1' },
  ])
})

test('the first problem of a typed card is reported before anything is sent', async () => {
  const { server, user } = await showAdding({})
  await user.type(await screen.findByLabelText('Card number'), '4242')
  await user.click(button('Add Card'))
  expect(screen.getByText('Your card number is incomplete.')).toBeTruthy()
  await user.type(field('Card number'), '424242424242')
  expect(screen.queryByText('Your card number is incomplete.')).toBeNull()
  await user.type(field('Expires (MM/YY)'), '13/30')
  await user.click(button('Add Card'))
  expect(screen.getByText("Your card's expiration date is invalid.")).toBeTruthy()
  await user.clear(field('Expires (MM/YY)'))
  await user.type(field('Expires (MM/YY)'), '12/30')
  await user.click(button('Add Card'))
  expect(screen.getByText("Your card's security code is incomplete.")).toBeTruthy()
  expect(server.callsOf('confirmTestCard')).toEqual([])
})

test('a declined card stays typed and can be corrected', async () => {
  const { server, user, onClose } = await showAdding({
    confirmTestCard: new Refusal('card_declined', 'Your card was declined.'),
  })
  await user.click(await screen.findByRole('button', { name: '4000 0000 0000 0002' }))
  await user.click(button('Add Card'))
  expect(await screen.findByText('Your card was declined.')).toBeTruthy()
  expect(field('Card number').value).toBe('4000 0000 0000 0002')
  expect(onClose).not.toHaveBeenCalled()
  server.answer({ confirmTestCard: added })
  await user.click(button('Add Card'))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('a bank challenge can be passed or failed', async () => {
  const { server, user, onClose } = await showAdding({ confirmTestCard: { status: 'requires_action' } })
  await user.click(await screen.findByRole('button', { name: '4000 0025 0000 3155' }))
  await user.click(button('Add Card'))
  expect(await screen.findByText('Your bank asks: is it you?')).toBeTruthy()
  server.answer({ confirmTestCard: new Refusal('card_declined', 'The bank did not confirm it.') })
  await user.click(button('Fail authentication'))
  expect(await screen.findByText('The bank did not confirm it.')).toBeTruthy()
  server.answer({ confirmTestCard: { status: 'requires_action' } })
  await user.click(button('Add Card'))
  await screen.findByText('Your bank asks: is it you?')
  server.answer({ confirmTestCard: added })
  await user.click(button('Complete authentication'))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const challenges = server.callsOf('confirmTestCard').map(({ body }) => body as { challenge?: string })
  expect(challenges.map(({ challenge }) => challenge)).toEqual([undefined, 'failed', undefined, 'completed'])
})

test('Esc asks before it discards a typed card', async () => {
  const { user, onClose } = await showAdding({})
  await user.type(await screen.findByLabelText('Card number'), '42')
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Discard unsaved changes?')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  await user.click(button('Discard'))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('a form that fails to load can be retried', async () => {
  const { server, user } = await showAdding({
    createSetupIntent: new Refusal('billing_unavailable', 'Stripe does not answer'),
  })
  expect(await screen.findByText('Stripe does not answer')).toBeTruthy()
  server.answer({ createSetupIntent: intent })
  await user.click(button('Try again'))
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
})
