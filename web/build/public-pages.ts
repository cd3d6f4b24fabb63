import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

type PageName = 'landing' | 'pricing' | 'no-prices'

const documents: Record<string, PageName> = {
  '/landing.html': 'landing',
  '/pricing.html': 'pricing',
  '/no-prices.html': 'no-prices',
}
const addresses: Record<string, string> = { '/': '/landing.html', '/pricing': '/pricing.html' }
const webRoot = fileURLToPath(new URL('..', import.meta.url))
const developmentUrl = `http://127.0.0.1:${process.env.PORT ?? 7400}`

type Pages = { renderPublicPage: (name: PageName) => string }

/** Renders the bodies of `/` and `/pricing` into their documents, in the build and in development. */
export function publicPages(): Plugin {
  return {
    name: 'loci:public-pages',
    configureServer: (server) => void server.middlewares.use(toDocument),
    configurePreviewServer: (server) => void server.middlewares.use(toDocument),
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        const name = documents[path]
        const page = name === undefined ? html : await fill(html, name)
        return server === undefined ? page : fillPlaces(page)
      },
    },
  }
}

function toDocument(request: { url?: string }, _response: unknown, next: () => void): void {
  const { pathname } = new URL(request.url ?? '/', developmentUrl)
  request.url = addresses[pathname] ?? request.url
  next()
}

async function fill(html: string, name: PageName): Promise<string> {
  const { module } = await runnerImport<Pages>('/src/app/public-pages.tsx', { root: webRoot })
  return html.replace('<!--page-->', () => module.renderPublicPage(name))
}

/** Fills in the placeholders that the server fills in at run time; development runs without it. */
function fillPlaces(html: string): string {
  return html
    .replaceAll('{{publicUrl}}', developmentUrl)
    .replaceAll('{{contactEmail}}', '')
    .replaceAll('{{billing}}', 'sandbox')
    .replaceAll('{{signUp}}', 'open')
    .replaceAll('{{nonce}}', '')
}
