import { randomInt } from 'node:crypto'
import { recoveryCodesPerPerson } from '@loci/contract/second-factors'
import { sha256 } from '../../../ground/lib/secrets.ts'

/** Crockford's base 32, without letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits in all, so that hashes from a stolen database cannot be brute-forced. */
const groups = 4
const lettersPerGroup = 4

/** Codes such as `7k2p-9wxa-3cde-m0qr`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesPerPerson }, () => Array.from({ length: groups }, group).join('-'))
}

const group = () =>
  Array.from({ length: lettersPerGroup }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The stored hash of a code, independent of how it was typed. */
export function hashOfRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return sha256(`${userId} ${plain}`)
}
