import { randomBytes, timingSafeEqual } from 'node:crypto'
import { argon2id } from './argon2.ts'

/** Cost of a hash: KiB of memory, and passes over it. */
export type PasswordCost = { memory: number; passes: number }

/** RFC 9106 recommends 64 MiB at 3 passes where memory is short; OWASP's minimum is 19 MiB at 2. */
export const passwordCost: PasswordCost = { memory: 19_456, passes: 2 }

/** argon2id in the PHC string format (https://github.com/P-H-C/phc-string-format). */
export async function hashPassword(password: string, { memory, passes }: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  const tag = await argon2id({
    message: Buffer.from(password),
    nonce: salt,
    memory,
    passes,
    parallelism: 1,
    tagLength: 32,
  })
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(salt)}$${base64(tag)}`
}

/** Whether `hash` was made from `password`. Takes the same time either way. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, algorithm, , parameters = '', salt = '', tag = ''] = hash.split('$')
  const match = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(parameters)
  if (algorithm !== 'argon2id' || match === null) return false
  const expected = Buffer.from(tag, 'base64')
  const actual = await argon2id({
    message: Buffer.from(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  })
  return timingSafeEqual(actual, expected)
}
