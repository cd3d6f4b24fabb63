import { readFile } from 'node:fs/promises'
import { passwordMin } from '@loci/contract/auth'
import { invalidField } from '../../ground/errors/app-error.ts'
import { packageFile } from '../../ground/lib/placement.ts'
import { isSequence, rootMin, rootsOf } from './password-roots.rules.ts'

/** As many as ASVS 6.2.4 asks for. A longer list refuses passwords that nobody guesses over a network. */
const commonPasswords = 3000

type Common = {
  /** Those that are long enough to be set. */
  passwords: ReadonlySet<string>
  /** Those of any length, which people make longer: `letmein123`. */
  roots: ReadonlySet<string>
}
let common: Promise<Common> | undefined

type NewPassword = {
  password: string
  email: string
  /** The request field that contains it. */
  path: 'password' | 'newPassword'
  /** The password that it replaces, if known. */
  current?: string
}

/** Throws `validation_failed` for a password that is commonly guessed or not new. */
export async function requireGoodPassword({ password, email, path, current }: NewPassword): Promise<void> {
  const problem = await findProblem(password, email, current)
  if (problem !== undefined) throw invalidField(path, problem)
}

async function findProblem(
  password: string,
  email: string,
  current: string | undefined,
): Promise<string | undefined> {
  const plain = password.normalize('NFC').toLowerCase()
  if (password === current) return 'The new password must differ from the current one'
  if (plain === email || plain === email.split('@')[0]) return 'The password must not be your email address'
  common ??= readCommon()
  const { passwords, roots } = await common
  if (/^(.)\1*$/su.test(plain) || isSequence(plain) || passwords.has(plain))
    return 'This password is too common. Choose another one.'
  if (rootsOf(plain).some((root) => roots.has(root)))
    return 'This password is too common, even with digits and marks. Choose another one.'
  return undefined
}

/** The most common passwords, in lower case. */
async function readCommon(): Promise<Common> {
  // Sorted by frequency. Not parsed, since most of it is not needed.
  const list = await readFile(packageFile('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8')
  const first = (lengthMin: number) => {
    const longEnough = list.matchAll(new RegExp(`(?<=")[^"]{${lengthMin},}(?=")`, 'g'))
    return new Set(longEnough.take(commonPasswords).map(([password]) => password))
  }
  return { passwords: first(passwordMin), roots: first(rootMin) }
}
