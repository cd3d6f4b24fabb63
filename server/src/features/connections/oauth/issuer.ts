import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../ground/config/config.ts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { isLoopback } from '../../../ground/lib/networks.ts'
import type { Context } from '../../../tenancy/context.ts'

/**
 * The address under which this server issues tokens to a caller: its public one, or on the user's own machine the one
 * that the caller used. Undefined for a server that is open to a network and does not know its own name, since tokens
 * are bound to an address.
 */
export function issuerOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { protocol, host, hostname }: Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  return isLoopback(hostname) ? `${protocol}://${host}` : undefined
}

/** The request, with the host and client address as this server sees them, trusting proxies only as configured. */
export function asSeenBy(ctx: Context, request: FastifyRequest): IncomingMessage {
  const { protocol, host } = new URL(requireIssuer(ctx, request))
  const { headers } = request.raw
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  headers['x-forwarded-host'] = host
  headers['x-forwarded-for'] = request.ip
  return request.raw
}

/** Throws `not_found` if tokens cannot be bound to an address. */
export function requireIssuer(ctx: Context, request: FastifyRequest): string {
  const issuer = issuerOf(ctx.config, request)
  if (issuer !== undefined) return issuer
  const message =
    'Apps cannot be connected here yet. Whoever runs this server: set LOCI_PUBLIC_URL to the address that people use.'
  throw new AppError('not_found', message)
}
