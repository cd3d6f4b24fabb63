import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { packageFile } from '../../ground/lib/placement.ts'
import { contentSecurityPolicy } from './security-headers.ts'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Loci API</title>
    <link rel="icon" href="/favicon.svg">
    <meta name="color-scheme" content="light dark">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="/api/docs/colors.css">
    <script defer src="/api/docs/swagger-ui-bundle.js"></script>
    <script defer src="/api/docs/start.js"></script>
  </head>
  <body>
    <div id="docs"></div>
  </body>
</html>
`

const start = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
// For screen readers: no link inside a button, no level of headings skipped, nothing outside a landmark.
const accessible = ({ React: { createElement } }) => ({
  components: { DeepLink: ({ text }) => text },
  wrapComponents: {
    InfoContainer: (Info) => (props) => createElement('header', { role: 'banner' }, createElement(Info, props)),
    operations: (Operations) => (props) =>
      createElement('div', null, createElement('h2', null, 'Calls'), createElement(Operations, props)),
  },
})
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  plugins: [accessible],
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
})
`

/** Fixes colours of Swagger UI with too little contrast, and gives it the grounds and lines of the web app. */
const colors = `body { margin: 0; background: #f8f7f4 }
html.dark-mode body { background: #0e1016 }
.swagger-ui, .swagger-ui :is(h1, h2, h3, h4, h5, p, label, table, button, .opblock-tag, .opblock-summary-description) {
  font-family: system-ui, sans-serif
}
.swagger-ui .info { margin: 32px 0 0 }
.swagger-ui .scheme-container { margin: 0; padding: 16px 0; background: none; box-shadow: none }
.swagger-ui .opblock { border-radius: 8px; box-shadow: none }
.swagger-ui .opblock-tag { font-size: 18px; border-color: #cdc8be }
html.dark-mode .swagger-ui .opblock-tag { border-color: #3a4254 }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1d5fa8 }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1c7148 }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #94540a }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b6b78 }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5060 }
html:not(.dark-mode) .swagger-ui .info .url { color: #1d5fa8 }
html:not(.dark-mode) .swagger-ui .btn.authorize { border-color: #1c7148; color: #1c7148 }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #1c7148 }
`

const maxAgeSeconds = 24 * 60 * 60

/** A page that renders `/api/openapi.json`; it loads everything from this server. */
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
  app.get('/api/docs/colors.css', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(colors),
  )
  serve(app, 'text/css; charset=utf-8', packageFile('@fastify/swagger-ui/static/swagger-ui.css'))
  serve(app, 'text/javascript; charset=utf-8', packageFile('@fastify/swagger-ui/static/swagger-ui-bundle.js'))
}

/**
 * Serves a file of Swagger UI, read and compressed at the first request. The package is one that does not pull in a
 * telemetry package. Every browser accepts gzip.
 */
function serve(app: FastifyInstance, type: string, path: string): void {
  let body: Buffer | undefined
  app.get(`/api/docs/${basename(path)}`, (_request, reply) => {
    body ??= gzipSync(readFileSync(path))
    return reply
      .headers({ 'cache-control': `public, max-age=${maxAgeSeconds}`, 'content-encoding': 'gzip' })
      .type(type)
      .send(body)
  })
}
