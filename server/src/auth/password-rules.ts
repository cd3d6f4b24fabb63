import { readFile } from 'node:fs/promises'
import { passwordMin } from '@loci/contract/auth'
import { AppError } from '../errors/app-error.ts'
import { packageFile } from '../lib/placement.ts'

/** As many as ASVS 6.2.4 asks for. A longer list refuses passwords that nobody guesses over a network. */
const commonPasswords = 3000

let common: Promise<ReadonlySet<string>> | undefined

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
  if (problem !== undefined)
    throw new AppError('validation_failed', problem, { details: [{ path, message: problem }] })
}

async function findProblem(
  password: string,
  email: string,
  current: string | undefined,
): Promise<string | undefined> {
  const plain = password.normalize('NFC').toLowerCase()
  if (password === current) return 'The new password must differ from the current one'
  if (plain === email || plain === email.split('@')[0]) return 'The password must not be your email address'
  if (await isCommon(plain)) return 'This password is too common. Choose another one.'
  return undefined
}

async function isCommon(plain: string): Promise<boolean> {
  if (/^(.)\1*$/su.test(plain)) return true
  common ??= readCommonPasswords()
  return (await common).has(plain)
}

/** The most common passwords that are long enough to be set, in lower case. */
async function readCommonPasswords(): Promise<Set<string>> {
  // Sorted by frequency. Not parsed, since most of it is not needed.
  const list = await readFile(packageFile('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8')
  const longEnough = list.matchAll(new RegExp(`(?<=")[^"]{${passwordMin},}(?=")`, 'g'))
  return new Set(longEnough.take(commonPasswords).map(([password]) => password))
}
