import { describe, expect, test } from 'vitest'
import {
  createSecretBox,
  createSigner,
  isApiKey,
  newApiKey,
  newSessionToken,
  randomToken,
} from './secrets.ts'

describe('an API key', () => {
  test('is recognised by its form and checksum, and never issued twice', () => {
    const keys = Array.from({ length: 50 }, newApiKey)
    expect(keys.every(isApiKey)).toBe(true)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('with any one character changed is refused without a look-up', () => {
    const key = newApiKey()
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `at ${at}`).toBe(false)
    }
  })

  test.each([
    '',
    'loci_',
    newApiKey().slice(0, -1),
    `${newApiKey()}0`,
    ` ${newApiKey()}`,
    `${newApiKey()}\n`,
  ])('is not %j', (text) => expect(isApiKey(text)).toBe(false))
})

test('tokens have 256 random bits', () => {
  expect(Buffer.from(randomToken(), 'base64url')).toHaveLength(32)
  expect(newSessionToken()).toMatch(/^locis_[\w-]{43}$/)
  expect(newSessionToken()).not.toBe(newSessionToken())
})

describe('a sealed secret', () => {
  const box = createSecretBox('master', 'webhooks')
  const sealed = box.seal('geheim ß')

  test('is opened only by the same master secret and purpose', () => {
    expect(box.open(sealed)).toBe('geheim ß')
    expect(createSecretBox('master', 'mails').open(sealed)).toBeUndefined()
    expect(createSecretBox('another', 'webhooks').open(sealed)).toBeUndefined()
  })

  test('looks different each time, so that equal secrets cannot be recognised', () => {
    expect(box.seal('geheim ß')).not.toBe(sealed)
  })

  test('with any one byte changed, or cut short, is not opened', () => {
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(box.open(changed.toString('base64')), `at ${at}`).toBeUndefined()
      expect(box.open(bytes.subarray(0, at).toString('base64')), `the first ${at}`).toBeUndefined()
    }
  })

  test('may be empty', () => expect(box.open(box.seal(''))).toBe(''))

  test('of a former master secret is opened and resealed, any other is left alone', () => {
    const renewed = createSecretBox('new', 'webhooks', 'master')
    expect(renewed.open(sealed)).toBe('geheim ß')
    const anew = renewed.reseal(sealed)!
    expect(createSecretBox('new', 'webhooks').open(anew)).toBe('geheim ß')
    expect(renewed.reseal(anew)).toBeUndefined()
    expect(renewed.reseal(createSecretBox('third', 'webhooks').seal('x'))).toBeUndefined()
    expect(box.reseal(sealed)).toBeUndefined()
  })
})

test('a signature depends on master secret, purpose and text', () => {
  const { sign } = createSigner('master')
  const signature = sign('device', 'text')
  expect(sign('device', 'text')).toBe(signature)
  const others = [sign('mail', 'text'), sign('device', 'texts'), createSigner('other').sign('device', 'text')]
  expect(others).not.toContain(signature)
})
