import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const createCheckout = vi.fn(async (_: { body: object }) => ({ url: 'https://pay.example/1' }))
const plans = [
  { id: 'pro', priceId: 'price_month' },
  { id: 'pro-annual', priceId: 'price_year' },
  { id: 'starter', priceId: null },
]
vi.doMock('../../lib/api.ts', () => ({ api: { listPlans: async () => ({ plans }), createCheckout } }))
vi.resetModules()
const { readCheckoutReturn, startPlanCheckout, startSignupCheckout } = await import('./checkout.ts')
afterAll(() => {
  vi.doUnmock('../../lib/api.ts')
  vi.resetModules()
})

beforeEach(() => {
  createCheckout.mockClear()
  vi.stubGlobal('window', { location: { origin: 'https://loci.example' } })
})

test("a sign-up's plan is bought at its interval, and leads back to the dashboard or the form", async () => {
  expect(await startSignupCheckout('pro', 'annual')).toBe('https://pay.example/1')
  expect(createCheckout).toHaveBeenCalledWith({
    body: {
      priceId: 'price_year',
      successUrl: 'https://loci.example/dashboard?payment=success',
      cancelUrl: 'https://loci.example/signup?plan=pro&billing=annual&payment=cancelled',
    },
  })
  await startSignupCheckout('pro', 'monthly')
  expect(createCheckout.mock.lastCall).toMatchObject([{ body: { priceId: 'price_month' } }])
})

test('a plan that is not on sale starts no checkout', async () => {
  await expect(startSignupCheckout('starter', 'monthly')).rejects.toThrow('not on offer')
  await expect(startSignupCheckout('nonsense', 'monthly')).rejects.toThrow('not on offer')
  expect(createCheckout).not.toHaveBeenCalled()
})

test('the result of a checkout is read from the address', async () => {
  for (const begin of [
    () => startSignupCheckout('pro', 'monthly'),
    () => startPlanCheckout('pro', 'price_month'),
  ]) {
    await begin()
    const { successUrl, cancelUrl } = createCheckout.mock.lastCall![0].body as Record<string, string>
    const read = (url = '') => readCheckoutReturn(Object.fromEntries(new URL(url).searchParams))
    expect(read(successUrl)?.outcome).toBe('success')
    expect(read(cancelUrl)).toEqual({ outcome: 'cancelled', plan: 'pro' })
  }
  expect(readCheckoutReturn({ plan: 'pro' })).toBeUndefined()
})
