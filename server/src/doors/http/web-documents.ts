import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Config, publicAddress } from '../../ground/config/config.ts'
import { isLoopback } from '../../ground/lib/networks.ts'
import { isPublished } from '../../ground/lib/placement.ts'
import { contentSecurityPolicy } from './security-headers.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** A document that is the same for everybody; each encoding is created at its first request. */
export type FixedDocument = { html: Buffer; bodies: Partial<Record<Encoding, Buffer>>; tag: string }

const noncePlace = '{{nonce}}'
const nonceBytes = 16
const compress: Record<Encoding, (html: Buffer) => Buffer> = {
  br: (html) => brotliCompressSync(html),
  gzip: (html) => gzipSync(html, { level: 9 }),
  identity: (html) => html,
}
const fixedPolicy = contentSecurityPolicy()

/**
 * Reads a document of the web app and fills in the facts of this server: URLs, billing, sign-up. Undefined if it was
 * not built.
 */
export function readDocument(config: Config, name: string): string | undefined {
  const path = join(config.webDir, name)
  if (!existsSync(path)) return undefined
  return readFileSync(path, 'utf8')
    .replaceAll('{{publicUrl}}', escapeHtml(publicAddress(config)))
    .replaceAll('{{contactEmail}}', escapeHtml(config.contactEmail ?? ''))
    .replaceAll('{{billing}}', config.billing)
    .replaceAll('{{signUp}}', config.signUp)
    .replaceAll('{{program}}', escapeHtml(programOf(config)))
    .replaceAll('{{mail}}', config.mail === undefined ? 'off' : 'on')
    .replaceAll('{{testClock}}', config.testClock ? 'on' : 'off')
}

/** The path of this program in a clone, for pages that only people on this machine open; others need not know it. */
function programOf({ host, publicUrl }: Config): string {
  return isLoopback(host) && publicUrl === undefined && !isPublished ? resolve(process.argv[1] ?? '') : ''
}

export function toFixedDocument(html: string): FixedDocument {
  const bytes = Buffer.from(html)
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { html: bytes, bodies: {}, tag }
}

/** Sends a document without per-response secrets, or 304 if the client has it. */
export function sendFixedDocument(request: FastifyRequest, reply: FastifyReply, document: FixedDocument) {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  const tag = `"${document.tag}-${encoding}"`
  reply.headers({
    'cache-control': 'no-cache',
    'content-security-policy': fixedPolicy,
    etag: tag,
    vary: 'accept-encoding',
  })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  document.bodies[encoding] ??= compress[encoding](document.html)
  return reply.type('text/html; charset=utf-8').send(document.bodies[encoding])
}

/** Sends the document of the app, with a fresh nonce in the page and in the policy. */
export function sendAppDocument(reply: FastifyReply, html: string, stripe: boolean) {
  const nonce = randomBytes(nonceBytes).toString('base64url')
  return reply
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy({ nonce, stripe }),
    })
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(noncePlace, nonce))
}

function acceptedEncoding(header = ''): Encoding {
  const refused = (encoding: string) => new RegExp(`${encoding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(header)
  return (['br', 'gzip'] as const).find((name) => header.includes(name) && !refused(name)) ?? 'identity'
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
