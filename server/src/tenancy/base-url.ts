import type { FastifyRequest } from 'fastify'
import type { Config } from '../ground/config/config.ts'

/** The URL of this server without a trailing slash: as configured, otherwise as this caller addressed it. */
export function baseUrlOf(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}

/**
 * Whether a URL points to this server: to its public name, or to the name that this caller used. The scheme is not
 * compared, since a proxy may terminate TLS.
 */
export function isOwnAddress(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  request: Pick<FastifyRequest, 'host'>,
  address: string,
): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host } = new URL(address)
  const isOwnHost = host === request.host || (publicUrl !== undefined && host === new URL(publicUrl).host)
  return isOwnHost && /^https?:$/.test(protocol)
}
