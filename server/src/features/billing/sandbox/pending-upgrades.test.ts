import { expect, test } from 'vitest'
import { goodCard, priceOf, sendForm, startPaidPlan } from '../../../../test/billing.ts'
import { describeOnBothDatabases, type Person } from '../../../../test/harness.ts'
import { hourMs } from '../../../ground/lib/time.ts'

const askingCard = { ...goodCard, number: '4000 0027 6000 3184' }
const toPro = { planId: 'pro', priceId: priceOf('pro') }

describeOnBothDatabases('upgrades that the bank wants confirmed', (server) => {
  /** On Starter, with a card for which the bank asks at every payment. */
  async function startWithAskingCard(): Promise<Person> {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'starter')
    const { clientSecret } = await person.rest.createSetupIntent({ body: {} })
    const body = { ...askingCard, clientSecret, challenge: 'completed' as const }
    const added = await person.rest.confirmTestCard({ body })
    if (added.status !== 'succeeded') throw new Error('the card was not added')
    await person.rest.setDefaultPaymentMethod({ params: { id: added.paymentMethod.id }, body: {} })
    server().clock.now += 100 * hourMs
    return person
  }
  const pay = async (url: string, action: string) => {
    const { number, cvc } = askingCard
    const page = await (await sendForm(`${url}/pay`, { action: 'card', number, expiry: '12/90', cvc })).text()
    const sealedCard = /name="sealedCard" value="([^"]+)"/.exec(page)?.[1] ?? ''
    return sendForm(`${url}/pay`, { action, sealedCard })
  }

  test('begin when it is confirmed on the page of the invoice, for what the preview said', async () => {
    const { rest } = await startWithAskingCard()
    const before = await rest.subscription()
    const { now, effectiveAt } = await rest.previewChange({ body: { planId: 'pro' } })
    const asked = await rest.changePlan({ body: { ...toPro, effectiveAt } })
    expect(asked).toEqual({
      ...before,
      pendingUpgrade: {
        plan: 'pro',
        confirmUrl: expect.stringContaining('/sandbox/invoices/'),
        expiresAt: Math.floor(server().clock.now / 1_000) + 23 * 3_600,
      },
    })
    const url = asked.pendingUpgrade!.confirmUrl!
    expect((await pay(url, 'challenge_failed')).status).toBe(400)
    expect(await rest.subscription()).toEqual(asked)
    server().clock.now += hourMs
    expect((await pay(url, 'challenge_completed')).status).toBe(303)
    const { features, ...after } = await rest.subscription()
    expect(after).toMatchObject({
      plan: 'pro',
      pendingUpgrade: null,
      currentPeriodEnd: before.currentPeriodEnd,
    })
    const { invoices } = await rest.listInvoices()
    expect(invoices[0]).toMatchObject({ amount: now, status: 'paid', hostedInvoiceUrl: url })
    expect((await rest.listPaymentMethods()).paymentMethods).toHaveLength(2)
  })

  test('lapse without a change, and the period then goes on', async () => {
    const { rest } = await startWithAskingCard()
    const before = await rest.subscription()
    const { pendingUpgrade } = await rest.changePlan({ body: toPro })
    server().clock.now += 23 * hourMs
    expect(await rest.subscription()).toEqual(before)
    expect((await rest.listInvoices()).invoices[0]).toMatchObject({ status: 'void' })
    expect((await pay(pendingUpgrade!.confirmUrl!, 'challenge_completed')).status).toBe(409)
    expect(await rest.subscription()).toEqual(before)
  })

  test('give way to any other choice', async () => {
    const { rest } = await startWithAskingCard()
    const first = await rest.changePlan({ body: toPro })
    const power = { planId: 'power-user', priceId: priceOf('power-user') }
    const second = await rest.changePlan({ body: power })
    expect(second.pendingUpgrade).toMatchObject({ plan: 'power-user' })
    expect((await pay(first.pendingUpgrade!.confirmUrl!, 'challenge_completed')).status).toBe(409)
    const cancelled = await rest.cancelSubscription({ body: {} })
    expect(cancelled).toMatchObject({ plan: 'starter', cancelAtPeriodEnd: true, pendingUpgrade: null })
    expect((await rest.listInvoices()).invoices.filter(({ status }) => status === 'open')).toEqual([])
  })
})
