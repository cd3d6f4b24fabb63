import type { SessionResponse } from '@loci/contract/auth'
import type { PasskeyLogin } from '@loci/contract/second-factors'
import { withAddressLimit } from '../../../tenancy/auth/sign-in-limits.ts'
import type { Context } from '../../../tenancy/context.ts'
import {
  invalidCredentials,
  recordFailedSignIn,
  startSession,
  suspended,
  type Visitor,
} from '../start-session.ts'
import { optionsOfProof } from './passkeys.rules.ts'
import { findPerson } from './person.ts'
import type { RelyingParty } from './relying-party.ts'
import { usePasskey } from './use-passkey.ts'

const purpose = 'sign-in'

/** Options for a browser to sign in with any passkey that it holds. */
export const loginOptions = async (ctx: Context, party: RelyingParty) => ({
  options: await optionsOfProof(ctx, { party, purpose }),
})

/** Starts the session of the passkey's owner: two factors in one. Throws `invalid_credentials`, `user_suspended`. */
export async function loginWithPasskey(
  ctx: Context,
  { passkey, deviceTokens }: PasskeyLogin,
  { visitor, party }: { visitor: Visitor; party: RelyingParty },
): Promise<SessionResponse> {
  const userId = await withAddressLimit(ctx, visitor.address, () =>
    usePasskey(ctx, { party, purpose }, passkey),
  )
  const person = await findPerson(ctx, userId)
  if (person === undefined) throw invalidCredentials()
  if (person.suspendedAt !== null) {
    recordFailedSignIn(ctx, person, visitor, 'suspended')
    throw suspended()
  }
  return startSession(ctx, person, visitor, { by: 'passkey', deviceTokens })
}
