import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

test('without a Stripe key billing runs in the sandbox', () => {
  expect(readConfig({}).stripe).toBeUndefined()
})

test('prices of Stripe are found by plan, and only those that are set', () => {
  const { stripe } = readConfig({ ...keys, STRIPE_PRICE_PRO_ANNUAL: 'price_1', STRIPE_PRICE_PRO_MONTHLY: '' })
  expect(stripe?.prices).toEqual({ 'pro-annual': 'price_1' })
})

test.each(['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])('Stripe without %s is refused', (missing) => {
  expect(() => readConfig({ ...keys, [missing]: '' })).toThrow('STRIPE_SECRET_KEY needs')
})

test('a key in the place of another is refused by name', () => {
  expect(() => readConfig({ ...keys, STRIPE_PUBLISHABLE_KEY: 'sk_test_x' })).toThrow(
    'STRIPE_PUBLISHABLE_KEY must begin with pk_',
  )
})
