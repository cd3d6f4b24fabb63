import { expect, test } from 'vitest'
import { readConfig } from '../../ground/config/config.ts'
import { hashPassword, verifyPassword } from '../../ground/lib/passwords.ts'

test('hashes cost at least what OWASP recommends, whatever the environment says', async () => {
  const { passwordCost } = readConfig({ PASSWORD_COST: '1', LOCI_PASSWORD_COST: '1' })
  const hash = await hashPassword('open sesame', passwordCost)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await verifyPassword('open sesame', hash)).toBe(true)
  expect(await verifyPassword('open sesam', hash)).toBe(false)
})

test('a hash states its cost and is verified with it', async () => {
  const hash = await hashPassword('open sesame', { memory: 64, passes: 3 })
  expect(hash).toContain('$m=64,t=3,p=1$')
  expect(await verifyPassword('open sesame', hash)).toBe(true)
})
