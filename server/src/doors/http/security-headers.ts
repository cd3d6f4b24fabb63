import type { FastifyInstance } from 'fastify'
import { type Config, publicAddress } from '../../ground/config/config.ts'

const hstsSeconds = 365 * 24 * 60 * 60

/**
 * Headers of every response. The policy of a document is set where the document is sent. Nothing is cached unless the
 * route says so: responses can contain tokens, keys and data.
 */
export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
    ...(publicAddress(config).startsWith('https:')
      ? { 'strict-transport-security': `max-age=${hstsSeconds}` }
      : {}),
  }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

type Sources = { nonce?: string; stripe?: boolean }

/**
 * The content policy of a document: our own files, no inline scripts. `nonce` allows styles created at run time;
 * `stripe` allows the card form, which has to come from Stripe itself
 * (docs.stripe.com/security/guide#content-security-policy).
 */
export function contentSecurityPolicy({ nonce, stripe = false }: Sources = {}): string {
  const own = (...others: (string | false)[]) => ["'self'", ...others].filter(Boolean).join(' ')
  return [
    "default-src 'self'",
    `script-src ${own(stripe && 'https://js.stripe.com https://*.js.stripe.com')}`,
    `style-src ${own(nonce !== undefined && `'nonce-${nonce}'`)}`,
    "style-src-attr 'unsafe-inline'",
    `img-src ${own('data: blob:', stripe && 'https://*.stripe.com')}`,
    `connect-src ${own(stripe && 'https://api.stripe.com')}`,
    `frame-src ${own(stripe && 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com')}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
