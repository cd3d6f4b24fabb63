import type { Plugin } from 'vite'

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g

/** Moves the app's stylesheets to the end of its document, so that what stands before them is painted without them. */
export function paintFirst(): Plugin {
  return {
    name: 'loci:paint-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path }) {
        if (path !== '/index.html') return html
        const links = html.match(stylesheet) ?? []
        return html.replace(stylesheet, '').replace('</body>', () => `${links.join('')}\n  </body>`)
      },
    },
  }
}
