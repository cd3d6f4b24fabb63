import { expect, test } from 'vitest'
import { argon2id, argon2idAside } from './argon2.ts'

test('a Node without argon2 makes the same hashes', async () => {
  const order = {
    message: Buffer.from('engines weave algebra é'),
    nonce: Buffer.from('sixteen bytes ..'),
    memory: 64,
    passes: 3,
    parallelism: 1,
    tagLength: 32,
  }
  expect(await argon2idAside(order)).toEqual(await argon2id(order))
})

test('a hash that cannot be computed rejects', async () => {
  const order = {
    message: Buffer.from('x'),
    nonce: Buffer.from('short'),
    memory: 64,
    passes: 1,
    parallelism: 1,
  }
  await expect(argon2idAside({ ...order, tagLength: 32 })).rejects.toThrow()
})
