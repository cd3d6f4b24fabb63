import { countAttempt } from '../../../auth/attempts.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { networkOf } from '../../../lib/networks.ts'
import { minuteMs, secondMs } from '../../../lib/time.ts'
import { insertClient } from './clients.repo.ts'
import { Registration, toClientMetadata } from './clients.rules.ts'
import { clientUnusedKeptMs } from './lifetimes.ts'

/** Services that connect many people use few addresses. */
const ofAnAddress = { burst: 100, intervalMs: minuteMs / 2 }
const ofAll = { burst: 5_000, intervalMs: 2 * secondMs }

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
  await countAttempt(ctx, [
    { by: `oauth client ${networkOf(address)}`, rate: ofAnAddress },
    { by: 'oauth client', rate: ofAll },
  ])
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
          'redirect_uris must be a list of 1 to 20 addresses: https, http on this machine, or a scheme of the program',
      }
    : { error: 'invalid_client_metadata', error_description: 'Send a JSON object with redirect_uris' }
