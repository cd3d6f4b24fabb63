import { readFile } from 'node:fs/promises'
import { AppError } from '../errors/app-error.ts'
import { packageFile } from '../lib/placement.ts'

/** About 49,000 passwords as lower-case JSON. Searched as text, since parsing it would block the process. */
let common: Promise<string> | undefined

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
  common ??= readFile(packageFile('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8')
  return (await common).includes(JSON.stringify(plain))
}
