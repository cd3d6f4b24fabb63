import type { BillingDetails } from '@loci/contract/billing'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../ground/config/config.ts'
import { toDate, toDollars } from './format.ts'
import { toBuyerParty, toSellerParty } from './invoice-parties.ts'
import { creditOf, sumsOf } from './invoice-sums.ts'
import { featuresOf, listOffers, requireOffer, requirePrice } from './plans-on-offer.ts'
import { isTestMode } from './test-mode.ts'

type Billing = Pick<Config, 'billing' | 'stripe'>
const sandbox: Billing = { billing: 'sandbox', stripe: undefined }
const stripe = (prices: Record<string, string>, secretKey = 'sk_test_1') =>
  ({ billing: 'stripe', stripe: { prices, secretKey } }) as unknown as Billing

describe('an invoice', () => {
  const sold = [
    { description: 'Pro', amount: 2_000 },
    { description: 'Unused time', amount: -500 },
  ]
  const balance = { description: 'Paid from credit', amount: -300, kind: 'balance' as const }

  test('adds up what was sold, and lists credit separately', () => {
    expect(sumsOf({ lines: [...sold, balance], tax: 285, amount: 1_485, status: 'paid' })).toEqual({
      ...{ subtotal: 1_500, tax: 285, total: 1_785, balance: [balance], due: 1_485 },
    })
  })

  test('that is a credit has nothing due', () => {
    const lines = [{ description: 'Unused', amount: -700 }]
    const invoice = { lines, tax: -100, amount: -800, status: 'paid' as const }
    expect(sumsOf(invoice)).toMatchObject({ total: -800, due: 0 })
    expect(creditOf(invoice)).toBe(800)
  })

  test('that is void has nothing due; one that was not collected has', () => {
    const invoice = { lines: sold, tax: 0, amount: 1_500 }
    expect(sumsOf({ ...invoice, status: 'void' })).toMatchObject({ total: 1_500, due: 0 })
    expect(sumsOf({ ...invoice, status: 'uncollectible' })).toMatchObject({ total: 1_500, due: 1_500 })
  })

  test.each([
    [{ lines: [], tax: 0, amount: -250 }, 250],
    [{ lines: [], tax: 0, amount: 250 }, 0],
    [{ lines: sold, tax: 0, amount: -1 }, 0],
  ])('%j is below zero by %i cents', (invoice, credit) => {
    expect(creditOf({ ...invoice, status: 'paid' })).toBe(credit)
  })
})

test.each([
  [1_050, '$10.50'],
  [0, '$0.00'],
  [-5, '-$0.05'],
  [123_456_789, '$1,234,567.89'],
])('%i cents are %s', (cents, text) => expect(toDollars(cents)).toBe(text))

test('a day is named in UTC', () => {
  expect(toDate(Date.UTC(2026, 10, 21, 23, 59))).toBe('November 21, 2026')
})

describe('the parties of an invoice', () => {
  const none: BillingDetails = {
    ...{ name: '', line1: '', line2: '', city: '', region: '', postalCode: '', country: '', taxId: '' },
  }

  test('have a buyer with address, country name, tax number and email', () => {
    const place = { line1: 'Main St 1', city: 'Berlin', postalCode: '10115', region: 'BE', country: 'DE' }
    expect(toBuyerParty({ ...none, name: 'Acme', ...place, taxId: 'DE1' }, 'a@example.com')).toEqual({
      name: 'Acme',
      lines: ['Main St 1', '10115 Berlin, BE', 'Germany', 'DE1', 'a@example.com'],
    })
  })

  test('have the owner as buyer if there are no details', () => {
    expect(toBuyerParty(none, 'a@example.com')).toEqual({ name: 'a@example.com', lines: [] })
    expect(toBuyerParty({ ...none, country: 'FR' }, 'a@example.com')).toEqual({
      ...{ name: 'a@example.com', lines: ['France'] },
    })
    expect(toBuyerParty(none, undefined)).toEqual({ name: '', lines: [] })
  })

  test('have the configured seller, or else Loci', () => {
    expect(toSellerParty(undefined)).toEqual({ name: 'Loci', lines: [] })
    const seller = {
      name: 'Memory Ltd',
      address: ['Road 2', 'Town'],
      taxId: undefined,
      email: 'bill@example.com',
    }
    expect(toSellerParty(seller as unknown as Parameters<typeof toSellerParty>[0])).toEqual({
      name: 'Memory Ltd',
      lines: ['Road 2', 'Town', 'bill@example.com'],
    })
  })
})

describe('plans on offer', () => {
  test('are the free one once and the others per month and per year', () => {
    const offers = listOffers(sandbox)
    expect(offers.map(({ id, interval }) => `${id} ${interval}`)).toEqual([
      ...['free null', 'starter month', 'starter-annual year', 'pro month', 'pro-annual year'],
      ...['power-user month', 'power-user-annual year'],
    ])
    expect(offers.find(({ id }) => id === 'pro-annual')).toMatchObject({ price: 20_000, popular: true })
    expect(offers.filter(({ popular }) => popular)).toHaveLength(2)
  })

  test('at Stripe are those with a price', () => {
    expect(listOffers(stripe({ 'pro-annual': 'price_1', team: 'price_2' })).map(({ id }) => id)).toEqual([
      ...['free', 'pro-annual'],
    ])
  })

  test('are none if nobody is charged', () => {
    expect(listOffers({ billing: 'off', stripe: undefined })).toEqual([])
  })

  test('are found by price and by id', () => {
    const config = stripe({ pro: 'price_1' })
    expect(requirePrice(config, 'price_1').id).toBe('pro')
    expect(() => requirePrice(config, 'price_9')).toThrow(
      expect.objectContaining({ code: 'price_not_found' }),
    )
    expect(requireOffer(config, 'free').priceId).toBeNull()
    expect(() => requireOffer(config, 'starter')).toThrow(expect.objectContaining({ code: 'plan_not_found' }))
  })

  test('that are unknown have the limits of the free one', () => {
    expect(featuresOf('gold')).toEqual(featuresOf('free'))
    expect(featuresOf('pro-annual').maxApiKeys).toBe(10)
  })
})

test.each([
  ['the sandbox', sandbox, true],
  ['a test key of Stripe', stripe({}), true],
  ['a live key of Stripe', stripe({}, 'sk_live_1'), false],
  ['a restricted live key', stripe({}, 'rk_live_1'), false],
  ['no billing', { billing: 'off', stripe: undefined } as Billing, false],
])('with %s it is test mode: %s', (_, config, isTest) => {
  expect(isTestMode(config)).toBe(isTest)
})
