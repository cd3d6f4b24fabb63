import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { contentSecurityPolicy } from './security-headers.ts'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Loci API</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <script defer src="/api/docs/swagger-ui-bundle.js"></script>
    <script defer src="/api/docs/start.js"></script>
  </head>
  <body>
    <div id="docs"></div>
  </body>
</html>
`

const start = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
})
`

const maxAgeSeconds = 24 * 60 * 60

/** A page that renders `/api/openapi.json`; everything it loads comes from here. */
export function registerApiDocs(app: FastifyInstance): void {
  app.get('/api/docs', (_request, reply) =>
    reply
      .headers({ 'content-security-policy': contentSecurityPolicy(), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page),
  )
  app.get('/api/docs/start.js', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(start),
  )
  serve(app, 'swagger-ui.css', 'text/css; charset=utf-8')
  serve(app, 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8')
}

/** A file of swagger-ui, read and compressed when it is first asked for. Every browser takes gzip. */
function serve(app: FastifyInstance, name: string, type: string): void {
  let body: Buffer | undefined
  app.get(`/api/docs/${name}`, (_request, reply) => {
    body ??= gzipSync(readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))))
    return reply
      .headers({ 'cache-control': `public, max-age=${maxAgeSeconds}`, 'content-encoding': 'gzip' })
      .type(type)
      .send(body)
  })
}
