import type { ConfirmTestCard } from '@loci/contract/billing'
import type { Person, TestServer } from './harness.ts'

export const goodCard = { number: '4242 4242 4242 4242', expMonth: 12, expYear: 2090, cvc: '123' }
/** Can be added, but every payment is declined. */
export const poorCard = { ...goodCard, number: '4000000000000341' }
/** Pays, and each payment is disputed at once. */
export const disputingCard = { ...goodCard, number: '4000000000000259' }
export const challengeCard = { ...goodCard, number: '4000002500003155' }

export const priceOf = (plan: string) => `price_sandbox_${plan}`

/** Adds a test card as the billing screen does. */
export async function addCard({ rest }: Person, card: Omit<ConfirmTestCard, 'clientSecret'> = goodCard) {
  const { clientSecret } = await rest.createSetupIntent({ body: {} })
  return rest.confirmTestCard({ body: { ...card, clientSecret } })
}

/** The address of a checkout page for a plan. */
export async function openCheckout(
  { rest, url: home }: Pick<Person, 'rest' | 'url'>,
  plan: string,
): Promise<string> {
  const { url } = await rest.createCheckout({
    body: {
      priceId: priceOf(plan),
      successUrl: `${home}/dashboard?success=true`,
      cancelUrl: `${home}/billing?canceled=true`,
    },
  })
  return url
}

/** Submits a form of a sandbox page. */
export async function sendForm(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** Starts a plan's trial without a card, through the checkout page. */
export async function startTrial(person: Person, plan: string): Promise<void> {
  const response = await sendForm(await openCheckout(person, plan), { action: 'on_file' })
  if (response.status !== 303) throw new Error(`checkout answered ${response.status}`)
}

/** An account that has paid for the first period of a plan; the clock is at the start of that period. */
export async function startPaidPlan(server: TestServer, person: Person, plan: string): Promise<void> {
  await addCard(person)
  await startTrial(person, plan)
  const { trialEnd } = await person.rest.subscription()
  server.clock.now = trialEnd! * 1_000
  await person.rest.subscription()
}
