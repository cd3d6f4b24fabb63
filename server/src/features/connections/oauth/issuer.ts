import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Config, isLoopback } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'

/**
 * The address under which this server issues tokens to a caller: its public one, or on one's own machine the one that
 * the caller used. Undefined for a server that is open to a network and does not know its name, since tokens are made
 * out to an address.
 */
export function issuerOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { protocol, host, hostname }: Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  return isLoopback(hostname) || hostname === '[::1]' ? `${protocol}://${host}` : undefined
}

/** The request with the address that it was sent to and came from, as far as this server believes what proxies say. */
export function asSeenBy(ctx: Context, request: FastifyRequest): IncomingMessage {
  const { protocol, host } = new URL(requireIssuer(ctx, request))
  const { headers } = request.raw
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  headers['x-forwarded-host'] = host
  headers['x-forwarded-for'] = request.ip
  return request.raw
}

/** Throws `not_found` where tokens cannot be made out to an address. */
export function requireIssuer(ctx: Context, request: FastifyRequest): string {
  const issuer = issuerOf(ctx.config, request)
  if (issuer !== undefined) return issuer
  const message =
    'Apps cannot be connected here yet. Whoever runs this server: set LOCI_PUBLIC_URL to the address that people use.'
  throw new AppError('not_found', message)
}
