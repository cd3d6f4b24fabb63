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

const embedder = {
  LOCI_EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1',
  LOCI_EMBEDDINGS_MODEL: 'nomic-embed-text',
}

test('without an address or a folder there are no embeddings', () => {
  expect(readConfig({}).embeddings).toBeUndefined()
})

test('an embedder is known by its address and model, and prefixes keep their spaces', () => {
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
  [{ ...embedder, LOCI_EMBEDDINGS_URL: 'ftp://host' }, 'LOCI_EMBEDDINGS_URL must be an address'],
  [{ ...embedder, LOCI_EMBEDDINGS_URL: 'http://me:secret@host' }, 'must not contain a password'],
  [{ ...embedder, LOCI_EMBEDDINGS_KEY: 'sk-secret\n' }, 'LOCI_EMBEDDINGS_KEY must be one word'],
  [{ ...embedder, LOCI_EMBEDDINGS_DIMENSIONS: '0' }, 'LOCI_EMBEDDINGS_DIMENSIONS must be at least 1'],
  [{ ...embedder, LOCI_EMBEDDINGS_WAIT_MS: 'soon' }, 'LOCI_EMBEDDINGS_WAIT_MS must be a whole number'],
  [{ ...embedder, LOCI_EMBEDDINGS_WEIGHT: 'much' }, 'LOCI_EMBEDDINGS_WEIGHT must be a number from 0 to 4'],
])('embeddings that are set up wrongly are refused in words without secrets (%#)', (environment, message) => {
  let problem = ''
  try {
    readConfig(environment)
  } catch (error) {
    problem = String(error)
  }
  expect(problem).toContain(message)
  expect(problem).not.toContain('secret')
})
