import { describe, expect, test } from 'vitest'
import { createSigner } from '../../ground/lib/secrets.ts'
import { findDevice, newDevice } from './device-tokens.ts'
import { hasRight, requireAllowed } from './permissions.ts'

type Holder = Parameters<typeof requireAllowed>[0]

const holder = (change: Partial<Holder>): Holder =>
  ({ kind: 'session', role: 'owner', permissions: undefined, lacksSecondFactor: false, ...change }) as Holder

const codeOf = (...args: Parameters<typeof requireAllowed>) => {
  try {
    requireAllowed(...args)
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('a caller', () => {
  test.each<[string, Partial<Holder>, Parameters<typeof requireAllowed>[1], string | undefined]>([
    ['a person', {}, 'session', undefined],
    ['a person', {}, 'memory:write', undefined],
    ['a key', { kind: 'api_key' }, 'session', 'session_required'],
    ['a key', { kind: 'api_key' }, 'credential', undefined],
    ['a key', { kind: 'api_key' }, 'memory:write', undefined],
    ['a key that reads', { kind: 'api_key', permissions: ['memory:read'] }, 'memory:read', undefined],
    ['a key that reads', { kind: 'api_key', permissions: ['memory:read'] }, 'memory:write', 'not_permitted'],
    ['a key without rights', { kind: 'api_key', permissions: [] }, 'memory:read', 'not_permitted'],
    ['a person without a second factor', { lacksSecondFactor: true }, 'memory:read', 'second_factor_missing'],
    ['a person without a second factor', { lacksSecondFactor: true }, 'credential', 'second_factor_missing'],
  ])('that is %s %j is asked for %s: %s', (_title, change, requires, code) => {
    expect(codeOf(holder(change), requires)).toBe(code)
  })

  test('without a second factor may do what sets one up', () => {
    expect(
      codeOf(holder({ lacksSecondFactor: true }), 'session', { withoutSecondFactor: true }),
    ).toBeUndefined()
  })

  test('is refused in the words of the call, if it has some', () => {
    const key = holder({ kind: 'api_key', permissions: [] })
    expect(() => requireAllowed(key, 'memory:read')).toThrow('This needs the right memory:read.')
    expect(() => requireAllowed(key, 'memory:read', { refusal: 'Ask the owner.' })).toThrow('Ask the owner.')
    expect(hasRight(key, 'memory:read')).toBe(false)
  })
})

describe('a device', () => {
  const signer = createSigner('s'.repeat(32))
  const email = 'ada@example.com'
  const { name, token } = newDevice(signer, email)

  test('is known by its token, among others', () => {
    expect(findDevice(signer, email, ['x', '', '.', token])).toEqual({ name, token })
  })

  test.each([
    ['of somebody else', (given: string) => findDevice(signer, 'bob@example.com', [given])],
    ['of another server', (given: string) => findDevice(createSigner('t'.repeat(32)), email, [given])],
    ['cut short', (given: string) => findDevice(signer, email, [given.slice(0, -1)])],
    ['with another name', (given: string) => findDevice(signer, email, [`x${given}`])],
    ['without a signature', () => findDevice(signer, email, [name, `${name}.`])],
    ['that was never given', () => findDevice(signer, email, [])],
  ])('is not known by a token %s', (_title, find) => {
    expect(find(token)).toBeUndefined()
  })
})
