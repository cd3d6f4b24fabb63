import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Where this server is reached, without a trailing slash: as configured, else as this caller called it. */
export function baseUrlOf(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}

/**
 * Whether an address leads back to this server: to its public name, or to the one by which this caller called it. The
 * scheme is left open, since a proxy before us may speak TLS for us.
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
