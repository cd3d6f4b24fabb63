import { expect, test } from 'vitest'
import { findTotpStep, isTotpCode, newTotp, plainCode } from './totp.rules.ts'

/** The ASCII secret "12345678901234567890" of the tests in RFC 6238, appendix B, in base 32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code of RFC 6238 is %s', async (second, code) => {
  expect(await findTotpStep(secret, code, second * 1_000)).toBe(Math.floor(second / 30))
})

test('a code holds for one step before and after its own, no longer', async () => {
  const step = Math.floor(1_111_111_109 / 30)
  const at = (steps: number) => findTotpStep(secret, '081804', (step + steps) * 30_000 + 15_000)
  expect(await Promise.all([-2, -1, 0, 1, 2].map(at))).toEqual([undefined, step, step, step, undefined])
})

test.each(['081805', '81804', '', '0818044', 'abcdef'])('the code %j is wrong', async (code) => {
  expect(await findTotpStep(secret, code, 1_111_111_109_000)).toBeUndefined()
})

test('a new secret has 160 bits, and its address names us and the person, whatever their address holds', async () => {
  const { secret: made, uri } = await newTotp('ada+loci@example.com')
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  const { protocol, host, pathname, searchParams } = new URL(uri)
  expect([protocol, host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(pathname)).toContain('ada+loci@example.com')
  expect([...searchParams.entries()]).toEqual(
    expect.arrayContaining([
      ['secret', made],
      ['issuer', 'Loci'],
      ['digits', '6'],
      ['period', '30'],
    ]),
  )
  expect((await newTotp('a@example.com')).secret).not.toBe(made)
})

test.each([
  ['081 804', '081804', true],
  ['081-804', '081804', true],
  [' 081804\n', '081804', true],
  ['08180', '08180', false],
  ['0818041', '0818041', false],
  ['٠٨١٨٠٤', '٠٨١٨٠٤', false],
  ['0x1804', '0x1804', false],
  ['abcd-efgh', 'abcdefgh', false],
])('%j is read as %j, a code of an app: %s', (typed, plain, isCode) => {
  expect(plainCode(typed)).toBe(plain)
  expect(isTotpCode(plain)).toBe(isCode)
})
