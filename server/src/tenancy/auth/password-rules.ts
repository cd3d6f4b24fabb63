import { readFile } from 'node:fs/promises'
import { passwordMin } from '@loci/contract/auth'
import { invalidField } from '../../ground/errors/app-error.ts'
import { packageFile } from '../../ground/lib/placement.ts'

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

/** Shorter roots are parts of many passwords that are not common. */
const rootMin = 3
/** A date or a word of digits. Whoever adds more makes a password of their own. */
const addedMax = 8

const letterOf: Record<string, string> = {
  ...{ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '+': 't' },
}

/**
 * What a lower-case password may have been made from, as guessing programs undo it: without accents, marks and digits,
 * or with digits and marks read as letters; a word that is repeated counts once.
 */
function rootsOf(plain: string): string[] {
  const folded = plain.normalize('NFKD').replace(/\p{M}/gu, '')
  const withoutTail = folded.replace(/\P{L}+$/u, '')
  const forms = [folded, withoutTail, folded.replace(/^\P{L}+/u, ''), withoutTail.replace(/^\P{L}+/u, '')]
  const read = forms.flatMap((form) => ['i', 'l'].map((one) => lettersOf(readAsLetters(form, one))))
  const roots = [folded.replace(/[^\p{L}\p{N}]/gu, ''), lettersOf(folded), ...read]
  return roots
    .filter((root) => folded.length - root.length <= addedMax)
    .map((root) => /^(.+?)\1+$/su.exec(root)?.[1] ?? root)
    .filter((root) => root.length >= rootMin)
}

/** Whether each sign follows the one before, up or down ("abcdefgh", "890123"). */
function isSequence(plain: string): boolean {
  const codes = [...plain].map((sign) => sign.codePointAt(0)!)
  const isDigits = /^\d+$/.test(plain)
  const step = (at: number) => codes[at]! - codes[at - 1]!
  return [1, -1].some((way) =>
    codes.every((_, at) => at === 0 || step(at) === way || (isDigits && step(at) === -9 * way)),
  )
}

const lettersOf = (text: string) => text.replace(/\P{L}/gu, '')

const readAsLetters = (text: string, one: string) =>
  text.replace(/[^\p{L}]/gu, (sign) => letterOf[sign] ?? (/[1!|]/.test(sign) ? one : sign))
