import type { FastifyInstance } from 'fastify'
import { type Config, publicAddress } from '../config.ts'

const hstsSeconds = 365 * 24 * 60 * 60

/** The headers that every answer carries. What a document may load is said beside the document. */
export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
    ...(publicAddress(config).startsWith('https:')
      ? { 'strict-transport-security': `max-age=${hstsSeconds}` }
      : {}),
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

/** Only our own files, no inline script; `styles` are further sources of style sheets, such as a nonce. */
export function contentSecurityPolicy(styles: readonly string[] = []): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
