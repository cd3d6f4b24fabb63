import { secondMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import { countAttempt } from '../../../tenancy/auth/attempts.ts'
import type { Context } from '../../../tenancy/context.ts'
import { insertClient } from './clients.repo.ts'
import { Registration, toClientMetadata } from './clients.rules.ts'
import { clientUnusedKeptMs } from './lifetimes.ts'
import { ratesOf } from './stranger-rates.ts'

/** A response of the authorization server, in the form of RFC 7591. */
export type RegistrationAnswer = { status: 201 | 400; body: object }

/** Registers a client. Throws `rate_limited`. */
export async function registerClient(
  ctx: Context,
  address: string,
  input: unknown,
): Promise<RegistrationAnswer> {
  const parsed = Registration.safeParse(input)
  if (!parsed.success) return { status: 400, body: toRefusal(parsed.error.issues[0]?.path[0]) }
  await countAttempt(ctx, ratesOf('client', address))
  const at = ctx.now()
  const id = ctx.newId('cli')
  const metadata = toClientMetadata(id, parsed.data, Math.floor(at / secondMs))
  await transact(ctx, ({ db }) => insertClient(db, { id, metadata, at, expiresAt: at + clientUnusedKeptMs }))
  return { status: 201, body: metadata }
}

const toRefusal = (field: PropertyKey | undefined) =>
  field === 'redirect_uris'
    ? {
        error: 'invalid_redirect_uri',
        error_description:
          'redirect_uris must be a list of 1 to 20 addresses: https, http on this machine, or a scheme of the program with its domain name, such as com.example.app:/callback',
      }
    : { error: 'invalid_client_metadata', error_description: 'Send a JSON object with redirect_uris' }
