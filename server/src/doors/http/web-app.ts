import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../ground/config/config.ts'
import { readDocument, sendAppDocument, sendFixedDocument, toFixedDocument } from './web-documents.ts'

const assetMaxAgeMs = 365 * 24 * 60 * 60 * 1_000
const rootFileMaxAgeMs = 10 * 60 * 1_000

const publicPages = ({ billing }: Config) => ({
  '/': 'landing.html',
  '/pricing': billing === 'off' ? 'no-prices.html' : 'pricing.html',
})

/** First path segments that belong to the server: unknown paths below them are 404, never a page of the app. */
const doors = new Set([
  'api',
  'auth',
  'mcp',
  'oauth',
  'checkout',
  'invoices',
  'shared',
  'ws',
  'healthz',
  'readyz',
  'metrics',
  'assets',
  '.well-known',
])

const notBuilt = `The web app is not built. Build it with

  npm run build --workspace web

and start the server again; "npm start" does both. The API and MCP answer meanwhile.
`

/** Serves the built web app. Register it last: it handles every page that no other route does. */
export async function registerWebApp(app: FastifyInstance, config: Config): Promise<void> {
  const shell = readDocument(config, 'index.html')
  if (shell === undefined) {
    app.get('/', (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(notBuilt))
    return
  }
  await app.register(fastifyStatic, {
    root: join(config.webDir, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: assetMaxAgeMs,
    index: false,
  })
  serveRootFiles(app, config.webDir)
  servePublicPages(app, config)
  app.get('/*', (request, reply) =>
    isPage(request.url, request.headers.accept)
      ? sendAppDocument(reply, shell, config.billing === 'stripe')
      : notFound(reply),
  )
}

function serveRootFiles(app: FastifyInstance, webDir: string): void {
  const names = readdirSync(webDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(html|br|gz)$/.test(entry.name))
    .map((entry) => entry.name)
  for (const name of names) {
    app.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, webDir, { maxAge: rootFileMaxAgeMs, immutable: false }),
    )
  }
}

function servePublicPages(app: FastifyInstance, config: Config): void {
  for (const [path, file] of Object.entries(publicPages(config))) {
    const html = readDocument(config, file)
    if (html === undefined) continue
    const document = toFixedDocument(html)
    app.get(path, (request, reply) => sendFixedDocument(request, reply, document))
    if (path !== '/') app.get(`${path}/`, (_request, reply) => reply.redirect(path, 301))
  }
}

function isPage(url: string, accept = ''): boolean {
  const [, first = ''] = /^\/([^/?]*)/.exec(url) ?? []
  return accept.includes('text/html') && !doors.has(first)
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}
