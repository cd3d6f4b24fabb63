import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../ground/config/config.ts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { baseUrlOf } from '../../../tenancy/base-url.ts'

/** WebAuthn relying party: the server's host name and the origin of its pages. */
export type RelyingParty = { id: string; origin: string }

/** Throws `passkeys_unavailable` if the server is addressed by IP, for which browsers do not support passkeys. */
export function relyingPartyOf(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): RelyingParty {
  const { origin, hostname, port } = new URL(baseUrlOf(config, request))
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { id: hostname, origin }
  const local = `http://localhost${port === '' ? '' : `:${port}`}`
  const message = `Passkeys need an address with a name. On this machine, open ${local}.`
  throw new AppError('passkeys_unavailable', message)
}
