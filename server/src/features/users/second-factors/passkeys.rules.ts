import type { MadePasskey, Passkey, PasskeyProof } from '@loci/contract/second-factors'
import { toIso } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { challengeLifeMs, isChallengeFor, newChallenge } from './challenges.ts'
import type { StoredPasskey } from './passkeys.repo.ts'
import type { RelyingParty } from './relying-party.ts'

/** About 700 KB of code, so it is loaded on first use. */
const webauthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256 (https://www.iana.org/assignments/cose), which authenticators support. */
const supportedAlgorithmIDs = [-8, -7, -257]

type Place = Pick<Context, 'signer' | 'now'>
type Asked = { party: RelyingParty; purpose: string }

export const toPasskey = (row: StoredPasskey): Passkey => ({
  id: row.id,
  name: row.name,
  synced: row.backed_up === 1,
  createdAt: toIso(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : toIso(row.last_used_at),
})

const describe = ({ credential_id, transports }: StoredPasskey) => ({
  id: credential_id,
  transports: JSON.parse(transports) as string[],
})

/** Options for a browser to use a passkey: one of `passkeys`, or any that it holds. */
export async function optionsOfProof(
  ctx: Place,
  { party, purpose }: Asked,
  passkeys: StoredPasskey[] = [],
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await webauthn()
  return {
    ...(await generateAuthenticationOptions({
      rpID: party.id,
      challenge: new Uint8Array(newChallenge(ctx, purpose)),
      allowCredentials: passkeys.map(describe),
      userVerification: 'required',
      timeout: challengeLifeMs,
    })),
  }
}

type Owner = { id: string; email: string; firstName: string; lastName: string }

/** Options for a browser to create a passkey that can sign in on its own, with finger, face or PIN. */
export async function optionsOfMaking(
  ctx: Place,
  { party, purpose }: Asked,
  { owner, passkeys }: { owner: Owner; passkeys: StoredPasskey[] },
): Promise<Record<string, unknown>> {
  const { generateRegistrationOptions } = await webauthn()
  return {
    ...(await generateRegistrationOptions({
      rpName: 'Loci',
      rpID: party.id,
      userID: new TextEncoder().encode(owner.id),
      userName: owner.email,
      userDisplayName: `${owner.firstName} ${owner.lastName}`,
      challenge: new Uint8Array(newChallenge(ctx, purpose)),
      attestationType: 'none',
      supportedAlgorithmIDs,
      excludeCredentials: passkeys.map(describe),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: challengeLifeMs,
    })),
  }
}

export type MadeCredential = {
  credentialId: string
  publicKey: string
  counter: number
  transports: string
  backedUp: boolean
}

/** Verifies a passkey that a browser created; undefined if it does not match the request. */
export async function readMade(
  ctx: Place,
  { party, purpose }: Asked,
  made: MadePasskey,
): Promise<MadeCredential | undefined> {
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: made as never,
      supportedAlgorithmIDs,
      expectedChallenge: (challenge) => isChallengeFor(ctx, purpose, challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      backedUp: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/** Verifies that a passkey signed the challenge, and returns what the authenticator reports about itself. */
export async function readProof(
  ctx: Place,
  { party, purpose }: Asked,
  stored: StoredPasskey,
  proof: PasskeyProof,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: proof as never,
      expectedChallenge: (challenge) => isChallengeFor(ctx, purpose, challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        ...describe(stored),
        publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
        counter: stored.counter,
      },
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/** The challenge that the browser claims was signed, base64url; empty if there is none. */
export function challengeIn({ response }: { response: { clientDataJSON: string } }): string {
  try {
    return String(JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()).challenge)
  } catch {
    return ''
  }
}
