import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Where this server is reached, without a trailing slash: as configured, else as this caller called it. */
export function baseUrlOf(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}
