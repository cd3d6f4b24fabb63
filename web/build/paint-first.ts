import type { Plugin, Rolldown } from 'vite'

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * What the app's document does before the app is there: it moves the stylesheets to its end, so that what stands before
 * them is painted without them, and runs `early.ts`, which asks for the code of the screen.
 */
export function paintFirst(): Plugin {
  return {
    name: 'loci:paint-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle }) {
        if (path !== '/index.html') return html
        const links = html.match(stylesheet) ?? []
        return html
          .replace(stylesheet, '')
          .replace('</head>', () => `  ${earlyScript(bundle)}\n  </head>`)
          .replace('</body>', () => `${links.join('')}\n  </body>`)
      },
    },
  }
}

/** In development there is no bundle, and nothing slow to run ahead of. */
function earlyScript(bundle: Rolldown.OutputBundle = {}): string {
  const early = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.isEntry && file.name === 'early',
  )
  return early ? `<script type="module" async crossorigin src="/${early.fileName}"></script>` : ''
}
