import type { Plan } from '@loci/contract/billing'
import { expect, test } from 'vitest'
import { changeSentences } from './change.rules.ts'

const planNamed = (name: string, interval: Plan['interval']): Plan => ({
  id: name.toLowerCase(),
  name,
  price: 1_000,
  interval,
  priceId: interval === null ? null : 'price_x',
  popular: false,
  features: { maxEntities: 1, maxBytes: 1, maxQueries: 1, maxApiKeys: 1, maxWebhooks: 1, features: [] },
})
const dayOf = (seconds: number) => `day ${seconds}`
const lines = [{ description: 'Remaining time', amount: 500 }]

test.each([
  [
    'an upgrade',
    planNamed('Pro', 'month'),
    { now: 500, lines, next: { amount: 2_000, at: 20 }, effectiveAt: 10 },
    ['Pro (monthly) starts now.', 'You pay $5.00 now, then $20.00 on day 20.'],
  ],
  [
    'a change in a trial',
    planNamed('Pro', 'year'),
    { now: 0, lines: [], next: { amount: 20_000, at: 20 }, effectiveAt: 10 },
    ['Pro (yearly) starts now.', 'You pay nothing now, then $200.00 on day 20.'],
  ],
  [
    'a downgrade',
    planNamed('Starter', 'month'),
    { now: 0, lines: [], next: { amount: 1_000, at: 20 }, effectiveAt: 20 },
    [
      'You keep Power User until day 20. Then Starter (monthly) starts.',
      'You pay nothing now, then $10.00 on day 20.',
    ],
  ],
  [
    'the way to free',
    planNamed('Free', null),
    { now: 0, lines: [], next: null, effectiveAt: 20 },
    [
      'You keep Power User until day 20. Then your account moves to Free.',
      "You won't be charged again, and nothing you stored is deleted.",
    ],
  ],
])('%s is said in sentences', (_, plan, preview, sentences) => {
  expect(changeSentences('Power User', plan, preview, dayOf)).toEqual(sentences)
})
