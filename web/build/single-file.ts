import type { Plugin } from 'vite'

/** Puts scripts and styles into the page that asks for them, and leaves nothing else. */
export function singleFile(): Plugin {
  return {
    name: 'loci:single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.html'))
      if (page?.type !== 'asset') throw new Error('There is no page')
      page.source = String(page.source)
        .replace(/<script type="module"[^>]* src="([^"]+)"><\/script>\s*/, '')
        .replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, (_, path) => `<style>${textOf(path)}</style>`)
        // A module runs once the page is there; its text must not end the element.
        .replace('</body>', () => `<script type="module">${scriptOf()}</script></body>`)
      for (const name of Object.keys(bundle)) if (bundle[name] !== page) delete bundle[name]

      function textOf(path: string): string {
        const asset = Object.values(bundle).find(({ fileName }) => path.endsWith(fileName))
        if (asset?.type !== 'asset') throw new Error(`There is no ${path}`)
        return String(asset.source)
      }
      function scriptOf(): string {
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
        if (entry?.type !== 'chunk') throw new Error('There is no script')
        return entry.code.replaceAll('</script', '<\\/script')
      }
    },
  }
}
