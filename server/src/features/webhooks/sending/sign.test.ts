import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSigningSecret, signaturesOf } from './sign.ts'

const body = JSON.stringify({ type: 'entity.created', data: { name: 'Zoë 🧠 日本' } })
const now = () => Math.floor(Date.now() / 1_000)

/** What a receiver says that uses the reference library. */
function received(secret: string, secrets: readonly string[], more: Partial<Record<string, string>> = {}) {
  const timestamp = now()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signaturesOf(secrets, { id: 'evt_1', timestamp, body }),
    ...more,
  } as Record<string, string>
  return () => new Webhook(secret).verify(more.body ?? body, headers)
}

describe('a signature', () => {
  test('is accepted by the reference library, whatever the body holds', () => {
    const secret = newSigningSecret()
    expect(received(secret, [secret])()).toEqual(JSON.parse(body))
  })

  test.each([
    ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
  ])('of the example of the standard is its own (%s)', (secret, signature) => {
    const prefixed = secret.startsWith('whsec_') ? secret : `whsec_${secret}`
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    }
    expect(signaturesOf([prefixed], message)).toBe(signature)
  })

  test('of two secrets is accepted by receivers of either, and by none of a third', () => {
    const [old, current, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
    for (const secret of [old, current]) expect(received(secret, [current, old])()).toEqual(JSON.parse(body))
    expect(received(other, [current, old])).toThrow('No matching signature')
  })

  test.each<[string, Partial<Record<string, string>>]>([
    ['another body', { body: `${body} ` }],
    ['another id', { 'webhook-id': 'evt_2' }],
    ['another time', { 'webhook-timestamp': String(now() - 10) }],
  ])('does not hold for %s', (_, changed) => {
    const secret = newSigningSecret()
    expect(received(secret, [secret], changed)).toThrow('No matching signature')
  })

  test('of no secret is empty', () => {
    expect(signaturesOf([], { id: 'evt_1', timestamp: 0, body })).toBe('')
  })
})

test('secrets have 32 bytes, and none comes twice', () => {
  const secrets = Array.from({ length: 50 }, newSigningSecret)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
  expect(new Set(secrets).size).toBe(50)
})
