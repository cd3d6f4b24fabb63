import type { PasskeyProof } from '@loci/contract/second-factors'
import { AppError } from '../../../ground/errors/app-error.ts'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { useChallenge } from './challenges.ts'
import { findPasskeyByCredential, notePasskeyUse } from './passkeys.repo.ts'
import { challengeIn, readProof } from './passkeys.rules.ts'
import type { RelyingParty } from './relying-party.ts'

/** What the browser was asked for: any passkey, or one of a particular user. */
export type Expected = { party: RelyingParty; purpose: string; userId?: string }

/**
 * Finds whose passkey signed a challenge for this purpose, and uses up the challenge. Throws `invalid_credentials`,
 * also if the authenticator's counter went back.
 */
export async function usePasskey(
  ctx: Context,
  { party, purpose, userId }: Expected,
  proof: PasskeyProof,
): Promise<string> {
  const stored = await findPasskeyByCredential(ctx.db, proof.id)
  if (stored === undefined || (userId !== undefined && stored.user_id !== userId)) throw unknown()
  const read = await readProof(ctx, { party, purpose }, stored, proof)
  if (read === undefined) throw unknown()
  await transact(ctx, async (inner) => {
    await useChallenge(inner, challengeIn(proof))
    if (!(await notePasskeyUse(inner.db, stored, { ...read, at: inner.now() }))) throw unknown()
  })
  return stored.user_id
}

const unknown = () => new AppError('invalid_credentials', 'This passkey does not sign in here')
