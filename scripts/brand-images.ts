// Draws the images that programs require as PNG or JPEG (icons, the preview picture of a link) from the logo and the
// landing page's picture, into web/public. Run it after a change of either and commit its output.
import { readFile, writeFile } from 'node:fs/promises'
import { launchChromium } from '../e2e/chromium.ts'

const font = await readFile('node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')
// The web app's tokens.
const ink = '#1b1a1f'
const ground = '#f8f7f4'
const wall = '#cdc8be'
const accent = { onInk: '#7a75f4', onGround: '#4f46cf' }

const mark = (
  size: number,
  colour: string,
  own: string,
) => `<svg width="${size}" height="${size}" viewBox="0 0 32 32">
  <path d="M8 7v17h17" fill="none" stroke="${colour}" stroke-width="2.6"/>
  <circle cx="8" cy="7" r="4" fill="${colour}"/><circle cx="25" cy="24" r="4" fill="${colour}"/>
  <circle cx="8" cy="24" r="5.6" fill="${own}"/></svg>`

const icon = (size: number) =>
  `<body style="display:grid;place-items:center;height:100vh;background:${ink}">${mark(size * 0.6, '#fff', accent.onInk)}</body>`

const memory = await readFile('web/src/features/public/pictures/memory-tall-light.webp')

const link = `<body style="background:${ground};color:${ink};font-family:Geist">
  <div style="position:absolute;left:72px;top:72px;display:flex;align-items:center;gap:18px;font-size:40px;font-weight:600;letter-spacing:-.02em">${mark(56, ink, accent.onGround)}Loci</div>
  <div style="position:absolute;left:72px;bottom:76px;font-size:68px;font-weight:550;line-height:1.04;letter-spacing:-.045em">Persistent<br>Memory for<br>AI Agents</div>
  <div style="position:absolute;left:560px;right:0;top:0;bottom:0;border-left:1px solid ${wall};background:#fff url(data:image/webp;base64,${memory.toString('base64')}) center/cover"></div>
</body>`

const browser = await launchChromium()
await draw('apple-touch-icon.png', 180, 180, icon(180))
await draw('icon-192.png', 192, 192, icon(192))
await draw('icon-512.png', 512, 512, icon(512))
await draw('og.jpg', 1200, 630, link)
await browser.close()

async function draw(name: string, width: number, height: number, body: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } })
  const face = `@font-face{font-family:Geist;font-weight:100 900;src:url(data:font/woff2;base64,${font.toString('base64')})}`
  await page.setContent(`<style>${face} body{margin:0}</style>${body}`)
  await page.evaluate(() => document.fonts.ready)
  const format = name.endsWith('.jpg') ? ({ type: 'jpeg', quality: 85 } as const) : {}
  await writeFile(`web/public/${name}`, await page.screenshot(format))
  await page.close()
}
