/** A service with a few facts of its own, which thousands of others mention or resemble. It was stored first. */
export const crowded = {
  name: 'checkout-service',
  type: 'project',
  facts: [
    'Owned by the payments team',
    'Deployed to Kubernetes by Argo CD',
    'Keeps its carts in Redis',
    'Written in Kotlin',
  ],
}

export const crowdQuestions = [
  'checkout-service',
  'What do you know about checkout-service',
  'Tell me about checkout-service',
  'Who is responsible for Checkout Service?',
]

const failures = ['times out', 'returns 502', 'drops a cart', 'charges twice', 'restarts']
const adjectives = ['blue', 'quick', 'old', 'green', 'tidy', 'loud', 'late']

/**
 * A third tickets that name it in title and text, a third services of similar names, the rest customers; the service
 * itself first, unless `stored` entities are there already.
 */
export function crowdLines(entities: number, stored = 0): string {
  const added = entities - stored
  const third = Math.floor(added / 3)
  const lines = Array.from({ length: stored === 0 ? added - 1 : added }, (_, n) => {
    const i = stored + n
    if (n < third) return ticket(i)
    return n < 2 * third ? service(i) : customer(i)
  })
  const first = stored === 0 ? [{ ...crowded, entityType: crowded.type, observations: crowded.facts }] : []
  return [...first, ...lines]
    .map(({ name, entityType, observations }) =>
      JSON.stringify({ type: 'entity', name, entityType, observations }),
    )
    .join('\n')
}

const ticket = (i: number) => ({
  name: i % 2 === 0 ? `TICKET-${i}` : `checkout-service fails (${i})`,
  entityType: 'ticket',
  observations: [`checkout-service fails: it ${failures[i % failures.length]} for customer ${i * 7}`],
})

const service = (i: number) => ({
  name: `${adjectives[i % adjectives.length]}-service-${i}`,
  entityType: 'service',
  observations: [`Calls checkout-service on port ${4_000 + (i % 900)}`],
})

const customer = (i: number) => ({
  name: `Customer ${i}`,
  entityType: 'customer',
  observations: [`Prefers invoices by ${i % 2 === 0 ? 'post' : 'mail'}`],
})
