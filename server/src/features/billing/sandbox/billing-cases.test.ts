import { describe, expect, test } from 'vitest'
import { signIn } from '../../../../test/accounts.ts'
import { addCard, openCheckout, poorCard, priceOf, sendForm } from '../../../../test/billing.ts'
import { type Act, billingCases, type Step } from '../../../../test/billing-cases.ts'
import { readBooks } from '../../../../test/books.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../../test/harness.ts'
import { restoreClock } from '../../../../test/restore-clock.ts'
import { dayMs } from '../../../ground/lib/time.ts'

const acts: Record<Act, (person: Person) => Promise<unknown>> = {
  cancel: ({ rest }: Person) => rest.cancelSubscription({ body: {} }),
  'cancel now': ({ rest }: Person) => rest.cancelSubscription({ body: { immediate: true } }),
  reactivate: ({ rest }: Person) => rest.reactivateSubscription({ body: {} }),
  'add a card': (person: Person) => addCard(person),
  'declining card': async (person: Person) => useCard(person, poorCard),
  'good card': async (person: Person) => useCard(person, undefined),
  'no card': async ({ rest }: Person) => {
    const { paymentMethods } = await rest.listPaymentMethods()
    for (const { id } of paymentMethods) await rest.deletePaymentMethod({ params: { id } })
  },
  'buy starter': async (person: Person) => {
    const { status } = await sendForm(await openCheckout(person, 'starter'), { action: 'on_file' })
    expect(status).toBe(303)
  },
}

async function useCard(person: Person, card: typeof poorCard | undefined) {
  await addCard(person, card)
  const { paymentMethods } = await person.rest.listPaymentMethods()
  await person.rest.setDefaultPaymentMethod({ params: { id: paymentMethods.at(-1)!.id }, body: {} })
}

describeOnBothDatabases('the sandbox charges', (server) => {
  restoreClock(server)

  describe.each(Object.entries(billingCases))('%s', (_, one) => {
    const { plan, begins, trial, steps, until, invoices, ends, books } = one
    test('as computed by hand', async () => {
      const goTo = await newTraveller(server())
      const buyer = await goTo(Date.parse(begins) - (trial ? 0 : 14 * dayMs))
      if (!trial) await addCard(buyer)
      await sendForm(await openCheckout(buyer, plan), { action: 'on_file' })
      await goTo(Date.parse(begins))
      for (const [at, act] of steps) await carryOut(await goTo(Date.parse(at)), act)
      const { rest } = await goTo(Date.parse(until))
      const made = (await rest.listInvoices()).invoices.reverse()
      expect(made.map(({ amount, status }) => (status === 'paid' ? amount : `${amount}!`))).toEqual(invoices)
      const { plan: planThen, currentPeriodEnd: end } = await rest.subscription()
      const day = end === null ? '' : ` until ${new Date(end * 1_000).toISOString().slice(0, 10)}`
      expect(`${planThen}${day}`).toBe(ends)
      expect(await readBooks(server(), buyer)).toEqual(books)
    })
  })
})

/** A new person who can be taken to any time, and who signs in again if the session has expired by then. */
async function newTraveller(server: TestServer): Promise<(moment: number) => Promise<Person>> {
  const person = await server.signUp()
  let signedInAt = server.clock.now
  let { rest } = person
  return async (moment) => {
    server.clock.now = moment
    if (Math.abs(moment - signedInAt) > sessionSurelyMs) {
      rest = await signIn(server, person)
      signedInAt = moment
    }
    await rest.subscription()
    return { ...person, rest }
  }
}

const sessionSurelyMs = dayMs

async function carryOut(person: Person, act: Step[1]): Promise<void> {
  const [verb = '', plan = ''] = act.split(' ')
  if (verb !== 'to' && verb !== 'refused') {
    await acts[act as Act](person)
    return
  }
  const change = () => person.rest.changePlan({ body: { planId: plan, priceId: priceOf(plan) } })
  if (verb === 'to') await change()
  else await expect(change()).rejects.toMatchObject({ code: 'card_declined' })
}
