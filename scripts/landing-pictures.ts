// Draws the demo graph with the graph engine for the landing page, into web/src/features/public/pictures. Run it
// after a change of the engine's drawing or of the demo graph, and commit its output.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type {} from '@loci/graph/testing/page'
import { servePage } from '@loci/graph/testing/serve-page'
import { darkTheme, lightTheme } from '@loci/graph/theme'
import { launchChromium } from '../e2e/chromium.ts'
import { buildDemoGraph } from './demo/demo-graph.ts'

const folder = 'web/src/features/public/pictures'
const fontFile = 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'
/** The sizes of the frame in landing.css; `scale` is a compromise between sharpness and weight. */
const sizes = {
  wide: { width: 1240, height: 660, scale: 1.25 },
  tall: { width: 350, height: 410, scale: 2 },
}
/** `--loci-surface` of the web app. */
const themes = {
  light: { ...lightTheme, background: '#ffffff' },
  dark: { ...darkTheme, background: '#14171f' },
}
const quality = 0.5

const { entities, relations } = buildDemoGraph()
const data = {
  nodes: entities.map(({ name, type, observations }) => ({
    id: name,
    name,
    type,
    observationsCount: observations.length,
  })),
  edges: relations.map(({ from, to, type }, index) => ({
    id: String(index),
    fromEntityId: from,
    toEntityId: to,
    relationType: type,
  })),
}
const font = await readFile(fontFile)
await mkdir(folder, { recursive: true })
const page = await servePage()
const browser = await launchChromium()
for (const [shape, size] of Object.entries(sizes)) {
  for (const [scheme, theme] of Object.entries(themes)) {
    const picture = await draw(size, theme)
    await writeFile(`${folder}/memory-${shape}-${scheme}.webp`, picture)
    console.log(`memory-${shape}-${scheme}.webp: ${picture.length} bytes`)
  }
}
await browser.close()
await page.close()

async function draw(
  { width, height, scale }: { width: number; height: number; scale: number },
  theme: typeof lightTheme,
): Promise<Buffer> {
  const tab = await browser.newPage({ viewport: { width, height }, bypassCSP: true })
  await tab.route('**/geist.woff2', (route) =>
    route.fulfill({ body: font, contentType: 'font/woff2', headers: { 'access-control-allow-origin': '*' } }),
  )
  await tab.goto(page.url)
  const encoded = await tab.evaluate(
    async (given) => {
      document.body.style.margin = '0'
      document.querySelector<HTMLElement>('#graph')!.style.cssText =
        `position:fixed;inset:0;width:${given.width}px;height:${given.height}px`
      const font = { family: "'Geist Variable', sans-serif", url: '/geist.woff2' }
      const view = window.lab.openInPage({ theme: given.theme, font, regions: true, reducedMotion: true })
      const settled = new Promise((resolve) => view.on('settled', resolve))
      window.lab.show(given.data)
      await settled
      // Regions appear once everything rests.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      view.fit()
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      const bitmap = await createImageBitmap(await view.exportPng({ scale: given.scale }))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: given.quality })
      return btoa(
        Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''),
      )
    },
    { width, height, scale, theme, data, quality },
  )
  await tab.close()
  return Buffer.from(encoded, 'base64')
}
