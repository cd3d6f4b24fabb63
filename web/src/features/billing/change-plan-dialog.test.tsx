// @vitest-environment jsdom
import type { ChangePreview, Subscription } from '@loci/contract/billing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { onFree, plansOnSale, seconds, subscriptionWith } from '../../../test/billing.ts'
import { catchRedirects } from '../../../test/browser.ts'
import { button, wordsOf } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { ChangePlanDialog } from './change-plan-dialog.tsx'

const upgrade: ChangePreview = {
  now: 2_150,
  next: { amount: 6_000, at: seconds('2027-02-01T00:00:00Z') },
  lines: [
    { description: 'Remaining time on Power User', amount: 3_225 },
    { description: 'Unused time on Pro', amount: -1_075 },
  ],
  effectiveAt: seconds('2027-01-15T00:00:00Z'),
}
const toFree: ChangePreview = {
  now: 0,
  next: null,
  lines: [],
  effectiveAt: seconds('2027-02-01T00:00:00Z'),
}

async function showDialog(
  answers: Answers,
  subscription: Subscription = subscriptionWith(),
  chosen?: string,
) {
  const server = serve({ listPlans: { plans: plansOnSale }, ...answers })
  const onClose = vi.fn()
  const { user } = await show(
    <ChangePlanDialog opened subscription={subscription} chosenPlanId={chosen} onClose={onClose} />,
  )
  return { server, user, onClose }
}

const plan = (name: RegExp) => screen.findByRole('radio', { name })
const checkedPlan = () =>
  screen.getAllByRole('radio', { checked: true }).map((radio) => radio.getAttribute('aria-label'))

test('starts at the current plan, which cannot be chosen again', async () => {
  const { user } = await showDialog({})
  await plan(/^Pro,/)
  expect(screen.getByRole('radiogroup', { name: 'Plan' })).toBeTruthy()
  expect(checkedPlan()).toContain('Pro, $20 a month')
  expect(button('Change Plan').disabled).toBe(true)
  expect(wordsOf(await plan(/^Pro,/))).toContain('ProMost PopularCurrent')
  expect(wordsOf(await plan(/^Power User/))).toContain(
    '1,000,000 entities, 10,000,000 operations a month$60/month',
  )
  await user.click(await plan(/^Free/))
  expect(button('Downgrade').disabled).toBe(false)
})

test('the yearly tab has the same plan at its yearly price, and no Free', async () => {
  const { user } = await showDialog({})
  await plan(/^Pro,/)
  await user.click(screen.getByRole('radio', { name: /Annual/ }))
  expect(checkedPlan()).toContain('Pro, $200 a year')
  expect(wordsOf(await plan(/^Pro,/))).toContain('$200/year$16.67/month')
  expect(screen.queryByRole('radio', { name: /^Free/ })).toBeNull()
  expect(button('Change Plan').disabled).toBe(false)
  await user.click(screen.getByRole('radio', { name: 'Monthly' }))
  expect(button('Change Plan').disabled).toBe(true)
})

test('an upgrade shows every amount before it is paid, and charges exactly that', async () => {
  const { server, user, onClose } = await showDialog({
    previewChange: upgrade,
    changePlan: subscriptionWith({ plan: 'power-user' }),
  })
  await user.click(await plan(/^Power User/))
  await user.click(button('Change Plan'))
  const rows = (await screen.findAllByRole('row')).map(wordsOf)
  expect(rows).toEqual([
    'DescriptionAmount',
    'Remaining time on Power User$32.25',
    'Unused time on Pro-$10.75',
    'Due now$21.50',
  ])
  expect(screen.getByText('You pay $21.50 now, then $60.00 on Feb 1, 2027 (UTC).')).toBeTruthy()
  expect(server.callsOf('changePlan')).toEqual([])
  await user.click(button('Pay $21.50'))
  expect(await screen.findByText('Plan changed successfully')).toBeTruthy()
  expect(onClose).toHaveBeenCalledOnce()
  expect(server.callsOf('changePlan').map(({ body }) => body)).toEqual([
    { planId: 'power-user', priceId: 'price_power-user', effectiveAt: upgrade.effectiveAt },
  ])
})

test('Back returns to the choice without changing anything', async () => {
  const { server, user } = await showDialog({ previewChange: upgrade })
  await user.click(await plan(/^Power User/))
  await user.click(button('Change Plan'))
  await user.click(await screen.findByRole('button', { name: 'Back' }))
  expect(checkedPlan()).toContain('Power User, $60 a month')
  expect(server.callsOf('changePlan')).toEqual([])
})

test('choosing Free says when it takes effect, and that nothing is deleted', async () => {
  const { server, user } = await showDialog({
    previewChange: toFree,
    changePlan: subscriptionWith({ cancelAtPeriodEnd: true }),
  })
  await user.click(await plan(/^Free/))
  await user.click(button('Downgrade'))
  expect(
    await screen.findByText('You keep Pro until Feb 1, 2027 (UTC). Then your account moves to Free.'),
  ).toBeTruthy()
  await user.click(button('Confirm Downgrade'))
  expect(await screen.findByText('Plan changed to Free')).toBeTruthy()
  expect(server.callsOf('changePlan').map(({ body }) => body)).toEqual([
    { planId: 'free', priceId: null, effectiveAt: toFree.effectiveAt },
  ])
})

test('from Free, a plan is bought at the checkout, which leads back', async () => {
  const redirects = catchRedirects('https://loci.example/billing')
  const { server, user } = await showDialog(
    { createCheckout: { url: 'https://pay.example/1' } },
    onFree,
    'starter',
  )
  await plan(/^Starter/)
  expect(checkedPlan()).toContain('Starter, $10 a month')
  await user.click(button('Change Plan'))
  await waitFor(() => expect(redirects).toEqual(['https://pay.example/1']))
  expect(server.callsOf('createCheckout').map(({ body }) => body)).toEqual([
    {
      priceId: 'price_starter',
      successUrl: 'https://loci.example/dashboard?success=true&plan=starter',
      cancelUrl: 'https://loci.example/billing?canceled=true&plan=starter',
    },
  ])
  expect(button('Change Plan').disabled).toBe(true)
})

test.each<[string, Answers, Subscription]>([
  [
    'a preview',
    { previewChange: new Refusal('billing_conflict', 'A payment is under way') },
    subscriptionWith(),
  ],
  ['a checkout', { createCheckout: new Refusal('billing_conflict', 'A payment is under way') }, onFree],
])('%s that fails says why, and can be tried again', async (_, answers, subscription) => {
  const { user, onClose } = await showDialog(answers, subscription)
  await user.click(await plan(/^Power User/))
  await user.click(button('Change Plan'))
  expect(await screen.findByText('A payment is under way')).toBeTruthy()
  await waitFor(() => expect(button('Change Plan').disabled).toBe(false))
  expect(onClose).not.toHaveBeenCalled()
})

test('a declined payment keeps the confirmation open', async () => {
  const { user, onClose } = await showDialog({
    previewChange: upgrade,
    changePlan: new Refusal('card_declined', 'Your card was declined.'),
  })
  await user.click(await plan(/^Power User/))
  await user.click(button('Change Plan'))
  await user.click(await screen.findByRole('button', { name: 'Pay $21.50' }))
  expect(await screen.findByText('Your card was declined.')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  await waitFor(() => expect(button('Pay $21.50').disabled).toBe(false))
})

test('a plan that is about to end can be chosen again', async () => {
  await showDialog({}, subscriptionWith({ cancelAtPeriodEnd: true }))
  await plan(/^Pro,/)
  expect(button('Change Plan').disabled).toBe(false)
})

test('a failure to load plans can be retried', async () => {
  const { server, user } = await showDialog({ listPlans: new Refusal('forbidden', 'No') })
  expect(await screen.findByText('Failed to load plans')).toBeTruthy()
  server.answer({ listPlans: { plans: plansOnSale } })
  await user.click(button('Try again'))
  expect(await plan(/^Starter/)).toBeTruthy()
})
