import {
  type AddedPasskey,
  type AddPasskey,
  type Passkey,
  passkeysPerPersonMax,
} from '@loci/contract/second-factors'
import { publicAddress } from '../../../ground/config/config.ts'
import { AppError, invalidField } from '../../../ground/errors/app-error.ts'
import { transact } from '../../../store/transact.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import { useChallenge } from './challenges.ts'
import { changeFactors } from './change-factors.ts'
import * as passkeys from './passkeys.repo.ts'
import {
  challengeIn,
  type MadeCredential,
  optionsOfMaking,
  optionsOfProof,
  readMade,
  toPasskey,
} from './passkeys.rules.ts'
import { requirePerson } from './person.ts'
import type { RelyingParty } from './relying-party.ts'
import { purposeOfProof } from './require-proof.ts'
import { passkeyAdded, passkeyRemoved } from './second-factor-mails.ts'

const purposeOfMaking = (userId: string) => `new passkey of ${userId}`

/** Options for a browser to prove that its user is present. */
export async function proofOptions(ctx: Context, { userId }: Actor, party: RelyingParty) {
  const own = await passkeys.listPasskeys(ctx.db, userId)
  return { options: await optionsOfProof(ctx, { party, purpose: purposeOfProof(userId) }, own) }
}

/** Options for a browser to create a passkey. Throws `passkey_limit_reached`. */
export async function beginPasskey(ctx: Context, { userId }: Actor, party: RelyingParty) {
  const owner = await requirePerson(ctx, userId)
  const own = await passkeys.listPasskeys(ctx.db, userId)
  requireRoom(own)
  const asked = { party, purpose: purposeOfMaking(userId) }
  return { options: await optionsOfMaking(ctx, asked, { owner, passkeys: own }) }
}

function requireRoom(own: readonly unknown[]): void {
  if (own.length < passkeysPerPersonMax) return
  throw new AppError('passkey_limit_reached', `At most ${passkeysPerPersonMax} passkeys. Remove one first.`)
}

/** Throws `validation_failed` if the passkey does not match the request, `passkey_limit_reached`. */
export async function addPasskey(
  ctx: Context,
  actor: Actor,
  { name, passkey: made }: AddPasskey,
  party: RelyingParty,
): Promise<AddedPasskey> {
  const { userId } = actor
  const asked = { party, purpose: purposeOfMaking(userId) }
  const credential = await readMade(ctx, asked, made)
  if (credential === undefined) throw notMade()
  const row = toRow(ctx, { userId, name }, credential)
  const told = {
    notice: passkeyAdded(publicAddress(ctx.config), name),
    event: { action: 'passkey_added' as const, subject: { kind: 'passkey' as const, id: row.id, name } },
  }
  const { recoveryCodes } = await changeFactors(ctx, actor, told, async (inner) => {
    requireRoom(await passkeys.listPasskeys(inner.db, userId))
    await useMade(inner, challengeIn(made))
    if ((await passkeys.findPasskeyByCredential(inner.db, row.credential_id)) !== undefined) throw notMade()
    await passkeys.insertPasskey(inner.db, row)
  })
  return { passkey: toPasskey(row), recoveryCodes }
}

async function useMade(inner: Context, challenge: string): Promise<void> {
  try {
    await useChallenge(inner, challenge)
  } catch (error) {
    throw error instanceof AppError ? invalidField('passkey', error.message) : error
  }
}

const notMade = () =>
  invalidField('passkey', 'The browser did not make a passkey that works here. Try again.')

type Named = { userId: string; name: string }

const toRow = (
  { newId, now }: Context,
  { userId, name }: Named,
  credential: MadeCredential,
): passkeys.StoredPasskey => ({
  user_id: userId,
  id: newId('psk'),
  credential_id: credential.credentialId,
  name,
  public_key: credential.publicKey,
  counter: credential.counter,
  transports: credential.transports,
  backed_up: credential.backedUp ? 1 : 0,
  created_at: now(),
  last_used_at: null,
})

async function requireOwn({ db }: Context, userId: string, id: string): Promise<passkeys.StoredPasskey> {
  const found = (await passkeys.listPasskeys(db, userId)).find((passkey) => passkey.id === id)
  if (found === undefined) throw new AppError('passkey_not_found', 'Passkey not found')
  return found
}

/** Throws `passkey_not_found`. */
export async function renamePasskey(
  ctx: Context,
  { userId }: Actor,
  id: string,
  name: string,
): Promise<Passkey> {
  return transact(ctx, async (inner) => {
    const found = await requireOwn(inner, userId, id)
    await passkeys.updatePasskeyName(inner.db, userId, id, name)
    return toPasskey({ ...found, name })
  })
}

/** Throws `passkey_not_found`. */
export async function requirePasskey(ctx: Context, { userId }: Actor, id: string): Promise<void> {
  await requireOwn(ctx, userId, id)
}

/** Throws `passkey_not_found`. */
export async function deletePasskey(ctx: Context, actor: Actor, id: string): Promise<void> {
  const { name } = await requireOwn(ctx, actor.userId, id)
  const told = {
    notice: passkeyRemoved(publicAddress(ctx.config), name),
    event: { action: 'passkey_removed' as const, subject: { kind: 'passkey' as const, id, name } },
  }
  await changeFactors(ctx, actor, told, async ({ db }) => {
    await passkeys.deletePasskeyRow(db, actor.userId, id)
  })
}
