import { expect, test } from 'vitest'
import { listUnknownVariables, readConfig } from './config.ts'

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  STRIPE_PRICE_STARTER_MONTHLY: 'price_1',
  STRIPE_PRICE_STARTER_ANNUAL: 'price_2',
  STRIPE_PRICE_PRO_MONTHLY: 'price_3',
  STRIPE_PRICE_PRO_ANNUAL: 'price_4',
  STRIPE_PRICE_POWER_USER_MONTHLY: 'price_5',
  STRIPE_PRICE_POWER_USER_ANNUAL: 'price_6',
}
const https = { LOCI_PUBLIC_URL: 'https://loci.example.com' }

test.each([
  ['without any variable', {}, 'sandbox'],
  ['by name', { LOCI_BILLING: 'sandbox' }, 'sandbox'],
  ['by name on https', { LOCI_BILLING: 'sandbox', ...https }, 'sandbox'],
  ['by name on https', { LOCI_BILLING: 'off', ...https }, 'off'],
  ['with the variables of Stripe', { ...stripe, ...https }, 'stripe'],
  ['with a restricted key', { ...stripe, STRIPE_SECRET_KEY: 'rk_test_x' }, 'stripe'],
])('billing %s (%#)', (_title, environment, billing) => {
  expect(readConfig(environment).billing).toBe(billing)
})

test('variables that are only named like ours are listed', () => {
  expect(listUnknownVariables({ LOCI_SIGNUP: 'closed', LOCI_SIGN_UP: 'closed', HOME: '/root' })).toEqual([
    'LOCI_SIGNUP',
  ])
})

test('Stripe prices are found by plan', () => {
  expect(readConfig(stripe).stripe?.prices).toMatchObject({
    starter: 'price_1',
    'power-user-annual': 'price_6',
  })
})

test.each([
  [https, 'LOCI_BILLING must be set where LOCI_PUBLIC_URL is https'],
  [{ LOCI_BILLING: 'none' }, 'LOCI_BILLING must be sandbox, stripe or off'],
  [{ LOCI_BILLING: 'stripe' }, 'Stripe needs STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY'],
  [{ ...stripe, LOCI_BILLING: 'off' }, 'STRIPE_SECRET_KEY means nothing beside LOCI_BILLING=off'],
  [{ ...stripe, LOCI_BILLING: 'sandbox' }, 'means nothing beside LOCI_BILLING=sandbox'],
  [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'sk_test_x' }, 'STRIPE_PUBLISHABLE_KEY must begin with pk_'],
  [{ ...stripe, STRIPE_SECRET_KEY: 'sk_x' }, 'STRIPE_SECRET_KEY must begin with sk_ or rk_, then test_ or'],
  [
    { ...stripe, STRIPE_SECRET_KEY: 'sk_live_x' },
    'STRIPE_SECRET_KEY is a live key, STRIPE_PUBLISHABLE_KEY a test',
  ],
  [{ ...stripe, STRIPE_PRICE_PRO_ANNUAL: 'price_3' }, 'have the same price'],
  [{ ...stripe, LOCI_TEST_CLOCK: 'true' }, 'LOCI_TEST_CLOCK means nothing outside of LOCI_BILLING=sandbox'],
  [{ LOCI_BILLING: 'off', LOCI_TEST_CLOCK: 'true' }, 'LOCI_TEST_CLOCK means nothing outside'],
  [{ LOCI_PUBLIC_URL: 'https://example.com/loci' }, 'LOCI_PUBLIC_URL must end after the host'],
  [{ LOCI_PUBLIC_URL: 'http://me:secret@example.com' }, 'LOCI_PUBLIC_URL must end after the host'],
  [{ HOST: 'http://0.0.0.0' }, 'HOST must be a name or an address'],
  [{ LOCI_INVOICE_TAX_ID: 'VAT 1' }, 'LOCI_INVOICE_TAX_ID needs LOCI_INVOICE_NAME beside it'],
  [{ LOCI_WEB_DIR: import.meta.dirname }, 'LOCI_WEB_DIR must be a folder with index.html'],
  [{ LOCI_INVOICE_NAME: 'A\nB' }, 'LOCI_INVOICE_NAME must be one line'],
  [{ LOCI_INVOICE_ADDRESS: 'a\\nb\\nc\\nd\\ne\\nf\\ng' }, 'LOCI_INVOICE_ADDRESS must have at most 6 lines'],
  [{ LOCI_MAIL_FROM: 'loci@example.com' }, 'LOCI_MAIL_FROM needs SMTP_URL'],
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_URL needs LOCI_MAIL_FROM'],
  [{ SMTP_URL: 'smtp://me:secret@mail.example.com/path' }, 'SMTP_URL must be smtp://'],
])('what cannot be is refused in a sentence without secrets (%#)', (environment, message) => {
  expectRefusal(environment, message)
})

test.each(Object.keys(stripe))('Stripe without %s is refused, naming the variable', (missing) => {
  expectRefusal({ ...stripe, [missing]: '' }, `Stripe needs ${missing}`)
})

const embedder = {
  LOCI_EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1',
  LOCI_EMBEDDINGS_MODEL: 'nomic-embed-text',
}

test('without an address or a folder there are no embeddings', () => {
  expect(readConfig({}).embeddings).toBeUndefined()
})

test('an embedder is identified by address and model, and prefixes keep their spaces', () => {
  const { embeddings } = readConfig({ ...embedder, LOCI_EMBEDDINGS_QUERY_PREFIX: 'search_query: ' })
  expect(embeddings).toMatchObject({
    source: { url: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text', key: undefined },
    queryPrefix: 'search_query: ',
    passagePrefix: '',
    waitMs: 300,
    weight: 0.6,
  })
})

test.each([
  [{ ...embedder, LOCI_EMBEDDINGS_MODEL: '' }, 'LOCI_EMBEDDINGS_URL needs LOCI_EMBEDDINGS_MODEL'],
  [{ ...embedder, LOCI_EMBEDDINGS_DIR: '/models/e5' }, 'exclude each other'],
  [
    { LOCI_EMBEDDINGS_KEY: 'sk-secret' },
    'LOCI_EMBEDDINGS_KEY needs LOCI_EMBEDDINGS_URL or LOCI_EMBEDDINGS_DIR',
  ],
  [
    { LOCI_EMBEDDINGS_DIR: '/m', LOCI_EMBEDDINGS_KEY: 'sk-secret' },
    'LOCI_EMBEDDINGS_KEY means nothing beside',
  ],
  [{ ...embedder, LOCI_EMBEDDINGS_URL: 'host' }, 'LOCI_EMBEDDINGS_URL must be an address'],
  [{ ...embedder, LOCI_EMBEDDINGS_URL: 'ftp://host' }, 'LOCI_EMBEDDINGS_URL must be an address'],
  [{ ...embedder, LOCI_EMBEDDINGS_URL: 'http://me:secret@host' }, 'must not contain a password'],
  [{ ...embedder, LOCI_EMBEDDINGS_KEY: 'sk-secret\n' }, 'LOCI_EMBEDDINGS_KEY must be one word'],
  [{ ...embedder, LOCI_EMBEDDINGS_DIMENSIONS: '0' }, 'LOCI_EMBEDDINGS_DIMENSIONS must be at least 1'],
  [{ ...embedder, LOCI_EMBEDDINGS_WAIT_MS: 'soon' }, 'LOCI_EMBEDDINGS_WAIT_MS must be a whole number'],
  [{ ...embedder, LOCI_EMBEDDINGS_WEIGHT: 'much' }, 'LOCI_EMBEDDINGS_WEIGHT must be a number from 0 to 4'],
])('embeddings that are set up wrongly are refused in words without secrets (%#)', (environment, message) => {
  expectRefusal(environment, message)
})

function expectRefusal(environment: Record<string, string>, message: string): void {
  let problem = ''
  try {
    readConfig(environment)
  } catch (error) {
    problem = String(error)
  }
  expect(problem).toContain(message)
  expect(problem).not.toMatch(/secret@|sk-secret|_x\b/)
}

test.each([
  ['', false],
  ['false', false],
  ['0', false],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ['loopback,192.168.1.5', ['loopback', '192.168.1.5']],
])('LOCI_TRUST_PROXY=%s trusts %j', (value, trusted) => {
  expect(readConfig({ LOCI_TRUST_PROXY: value }).trustProxy).toEqual(trusted)
})

test.each([
  'true',
  'yes',
  '99',
  '10.0.0.0/33',
  '0.0.0.0/0',
  '::1/129',
  '10.0.0.1/8/8',
  'proxy.example',
  '1,',
])('LOCI_TRUST_PROXY=%s is refused with a reason', (value) => {
  const reason = value === 'true' ? 'must not be true' : 'must be the number of proxies in front'
  expect(() => readConfig({ LOCI_TRUST_PROXY: value })).toThrow(`LOCI_TRUST_PROXY ${reason}`)
})
