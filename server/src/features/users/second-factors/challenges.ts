import { AppError } from '../../../ground/errors/app-error.ts'
import { isSameSecret, randomToken, type Signer, sha256 } from '../../../ground/lib/secrets.ts'
import { minuteMs } from '../../../ground/lib/time.ts'
import { deleteExpired } from '../../../store/delete-expired.ts'
import type { Context } from '../../../tenancy/context.ts'
import { insertUsedChallenge } from './challenges.repo.ts'

export const challengeLifeMs = 5 * minuteMs

/** More expired challenges than one use adds. */
const sweptMax = 20

const purposeOfKey = 'passkey-challenge'

/**
 * A challenge for an authenticator to sign, for one purpose. It is signed by us instead of stored, so that requesting
 * challenges is free and only used ones take a row.
 */
export function newChallenge({ signer, now }: Pick<Context, 'signer' | 'now'>, purpose: string): Buffer {
  const head = `${randomToken()}.${now() + challengeLifeMs}`
  return Buffer.from(`${head}.${signatureOf(signer, purpose, head)}`)
}

/** Whether a challenge, base64url, is one of ours for this purpose. */
export function isChallengeFor(
  { signer }: Pick<Context, 'signer'>,
  purpose: string,
  challenge: string,
): boolean {
  const [random = '', end = '', signature = ''] = textOf(challenge).split('.')
  return isSameSecret(signature, signatureOf(signer, purpose, `${random}.${end}`))
}

/** Uses up a challenge. Must be called in a transaction. Throws `invalid_credentials` if it was used or has expired. */
export async function useChallenge({ db, now }: Context, challenge: string): Promise<void> {
  const end = Number(textOf(challenge).split('.')[1])
  await deleteExpired(db, 'used_challenges', now(), sweptMax)
  if (end > now() && (await insertUsedChallenge(db, sha256(challenge), end))) return
  throw new AppError('invalid_credentials', 'This took too long or was already done. Try again.')
}

const signatureOf = (signer: Signer, purpose: string, head: string) =>
  signer.sign(purposeOfKey, `${purpose} ${head}`)

const textOf = (challenge: string) => Buffer.from(challenge, 'base64url').toString()
