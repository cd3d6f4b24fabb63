/**
 * The engine in a real Chromium, under a strict Content-Security-Policy, with real mouse, keyboard and
 * touch input.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../e2e/chromium.ts'
import type { Lab } from './testing/page.ts'
import { type ServedPage, servePage } from './testing/serve-page.ts'
import type { GraphEvents, GraphViewOptions } from './types.ts'
import type { GraphTestHandle } from './view/test-handle.ts'

declare global {
  var lab: Lab
  var __graph: GraphTestHandle | undefined
}

const timeout = 30_000
let served: ServedPage
let browser: Browser
let tab: Page
let complaints: string[] = []

beforeAll(async () => {
  ;[served, browser] = await Promise.all([servePage(), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

afterEach(async () => {
  await tab.context().close()
  expect(complaints).toEqual([])
})

async function open(nodes: number, context: BrowserContextOptions = {}, options: GraphViewOptions = {}) {
  complaints = []
  tab = await (await browser.newContext({ viewport: { width: 1000, height: 600 }, ...context })).newPage()
  tab.on('pageerror', (error) => complaints.push(error.message))
  tab.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico')) {
      complaints.push(message.text())
    }
  })
  await tab.goto(served.url)
  await tab.evaluate(
    ([count, wanted]) => {
      globalThis.lab.open(wanted)
      globalThis.lab.show(globalThis.lab.sample({ nodes: count }))
    },
    [nodes, options] as const,
  )
  await settled()
}

async function settled() {
  await tab.waitForFunction(() => globalThis.__graph?.settled() === true, null, { timeout })
}

async function screen(id: string): Promise<{ x: number; y: number }> {
  const place = await tab.evaluate((node) => globalThis.__graph?.screen(node), id)
  if (!place) throw new Error(`${id} is not there`)
  return place
}

const zoom = () => tab.evaluate(() => globalThis.__graph?.zoom() ?? 0)
const selected = () => tab.evaluate(() => globalThis.__graph?.selected() ?? null)
const positions = () => tab.evaluate(() => globalThis.__graph?.positions() ?? {})
const eventNames = () => tab.evaluate(() => globalThis.lab.events.map(([name]) => name))

describe('mouse', () => {
  test('dragging drops a node in place while the others give way and come to rest', async () => {
    await open(40)
    const before = await positions()
    const from = await screen('n5')
    await tab.mouse.move(from.x, from.y)
    await tab.mouse.down()
    await tab.mouse.move(500, 300, { steps: 5 })
    await tab.mouse.move(640, 380, { steps: 5 })
    await tab.mouse.up()
    await settled()
    const dropped = await screen('n5')
    // Mouse coordinates are whole pixels.
    expect(Math.hypot(dropped.x - 640, dropped.y - 380)).toBeLessThan(2)
    const after = await positions()
    const moved = Object.keys(before).filter((id) => before[id]![0] !== after[id]![0])
    expect(moved.length).toBeGreaterThan(5)
    expect(await selected(), 'a drag is no click').toBe(null)
  })

  test('the wheel zooms around the node under the pointer', async () => {
    await open(40)
    const place = await screen('n3')
    const before = await zoom()
    await tab.mouse.move(place.x, place.y)
    await tab.mouse.wheel(0, -400)
    await tab.waitForFunction((level) => (globalThis.__graph?.zoom() ?? 0) > level * 1.2, before)
    const after = await screen('n3')
    // Mouse coordinates are whole pixels.
    expect(Math.abs(after.x - place.x)).toBeLessThan(1)
    expect(Math.abs(after.y - place.y)).toBeLessThan(1)
    await tab.mouse.wheel(0, -20_000)
    await tab.waitForFunction(() => globalThis.__graph?.zoom() === 4)
    await tab.mouse.wheel(0, 20_000)
    await tab.waitForFunction(() => (globalThis.__graph?.zoom() ?? 1) < 0.1001)
  })

  test('dragging the background pans, a click selects, a double click activates, hovering is reported', async () => {
    await open(40)
    const before = await screen('n3')
    await tab.mouse.move(20, 20)
    await tab.mouse.down()
    await tab.mouse.move(65, -5 + 20, { steps: 4 })
    await tab.mouse.up()
    // A click right after a pan is treated as its end.
    await tab.waitForTimeout(100)
    const place = await screen('n3')
    expect([Math.round(place.x - before.x), Math.round(place.y - before.y)]).toEqual([45, -5])
    await tab.mouse.click(place.x, place.y)
    expect(await selected()).toBe('n3')
    await tab.mouse.dblclick(place.x, place.y)
    expect(await eventNames()).toEqual(expect.arrayContaining(['hover', 'select', 'activate']))
    await tab.mouse.click(5, 5)
    expect(await selected()).toBe(null)
  })
})

test('the keyboard walks between nodes, selects, clears and zooms', async () => {
  await open(40)
  const graph = tab.getByRole('application', { name: /^Graph with 40 entities and \d+ relations$/ })
  expect(await graph.getAttribute('aria-roledescription')).toBe('knowledge graph')
  await tab.keyboard.press('Tab')
  expect(await graph.evaluate((element) => element === document.activeElement)).toBe(true)
  await tab.keyboard.press('ArrowRight')
  const first = await selected()
  expect(first).not.toBe(null)
  expect(await tab.locator('[aria-live=polite]').textContent()).toMatch(
    /^.+, \w+, \d+ observations?, \d+ relations?(, .+)?$/,
  )
  const walked = new Set([first])
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
    await tab.keyboard.press(key)
    walked.add(await selected())
  }
  expect(walked.size).toBeGreaterThan(1)
  await tab.keyboard.press('Enter')
  expect(await eventNames()).toContain('activate')
  const level = await zoom()
  await tab.keyboard.press('+')
  await tab.waitForFunction((before) => (globalThis.__graph?.zoom() ?? 0) > before * 1.2, level)
  await tab.keyboard.press('0')
  await tab.waitForFunction(() => Math.abs((globalThis.__graph?.zoom() ?? 0) - 1) < 0.01)
  await tab.keyboard.press('Escape')
  expect(await selected()).toBe(null)
})

test('a tap selects on a touch screen', async () => {
  await open(30, { hasTouch: true, viewport: { width: 390, height: 600 } })
  const place = await screen('n1')
  await tab.touchscreen.tap(place.x + 4, place.y)
  expect(await selected()).toBe('n1')
})

test('two fingers zoom around the point between them', async () => {
  await open(30, { hasTouch: true, viewport: { width: 390, height: 600 } })
  const before = await zoom()
  const session = await tab.context().newCDPSession(tab)
  const fingers = (type: 'touchStart' | 'touchMove', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [
        { x: 195 - apart, y: 40, id: 0 },
        { x: 195 + apart, y: 40, id: 1 },
      ],
    })
  await fingers('touchStart', 40)
  for (const apart of [50, 60, 70, 80]) await fingers('touchMove', apart)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  expect(await zoom()).toBeCloseTo(before * 2, 1)
})

test('is as sharp as the screen, also after moving to another one', async () => {
  await open(30)
  const width = () => tab.evaluate(() => document.querySelector('canvas')?.width)
  await expect.poll(width).toBe(1000)
  const session = await tab.context().newCDPSession(tab)
  // The size changes too: without that, emulation fires no event in the page.
  const screenOf = { width: 900, height: 600, mobile: false }
  await session.send('Emulation.setDeviceMetricsOverride', { ...screenOf, deviceScaleFactor: 2.5 })
  await expect.poll(width).toBe(2250)
})

test('new nodes start beside their neighbour without moving others, and removals move nobody', async () => {
  await open(40)
  const before = await positions()
  await tab.evaluate(() => {
    globalThis.lab.view?.select('new')
    globalThis.lab.view?.update({
      nodes: [{ id: 'new', name: 'Newcomer', type: 'person', observationsCount: 2 }],
      edges: [{ id: 'newEdge', fromEntityId: 'n7', toEntityId: 'new', relationType: 'knows' }],
    })
  })
  await settled()
  const { new: newcomer, ...others } = await positions()
  expect(others).toEqual(before)
  const [x, y] = before.n7!
  expect(Math.hypot(newcomer![0] - x, newcomer![1] - y)).toBeLessThan(260)
  expect(await tab.locator('[aria-live=polite]').textContent()).toMatch(
    /^Newcomer, person, 2 observations, 1 relation\b/,
  )
  await tab.evaluate(() => globalThis.lab.view?.update({ nodesGone: ['new', 'n3'] }))
  await settled()
  const { n3: _, ...rest } = before
  expect(await positions()).toEqual(rest)
  expect(await selected()).toBe(null)
})

test('two additions at a time move neither the other nodes nor one that was just dropped', async () => {
  await open(40)
  const from = await screen('n5')
  await tab.mouse.move(from.x, from.y)
  await tab.mouse.down()
  await tab.mouse.move(from.x + 60, from.y + 40, { steps: 5 })
  await tab.mouse.up()
  const dropped = (await positions()).n5
  const show = (newcomers: number) =>
    tab.evaluate((count) => {
      const { nodes, edges } = globalThis.lab.sample({ nodes: 40 })
      const numbers = Array.from({ length: count }, (_, number) => number)
      globalThis.lab.show({
        nodes: [
          ...nodes,
          ...numbers.map((i) => ({ id: `new${i}`, name: `New ${i}`, type: 'person', observationsCount: 2 })),
        ],
        edges: [
          ...edges,
          ...numbers.map((i) => ({
            id: `newEdge${i}`,
            fromEntityId: 'n7',
            toEntityId: `new${i}`,
            relationType: 'knows',
          })),
        ],
      })
    }, newcomers)
  await show(1)
  await settled()
  expect((await positions()).n5).toEqual(dropped)
  const before = await positions()
  for (let newcomers = 2; newcomers <= 6; newcomers++) await show(newcomers)
  await settled()
  const after = await positions()
  for (const id of Object.keys(before).filter((node) => !node.startsWith('new'))) {
    expect(after[id], id).toEqual(before[id])
  }
})

test('with reduced motion only the settled layout is shown, and it is the same as with motion', async () => {
  await open(40)
  const moving = await positions()
  await tab.context().close()
  await open(40, { reducedMotion: 'reduce' })
  expect(await positions()).toEqual(moving)
})

test('communities are named; what is on the map stays, in another browser too, and newcomers are reported', async () => {
  const options = { regions: true, map: true }
  await open(120, {}, options)
  const regions = () => tab.evaluate(() => globalThis.lab.view!.regions())
  const found = await regions()
  expect(found.length).toBeGreaterThan(2)
  expect(found.map(({ size }) => size)).toEqual(found.map(({ size }) => size).sort((a, b) => b - a))
  const second = found[1]!
  await tab.evaluate((id) => globalThis.lab.view!.setRegionNames({ [id]: 'Payments' }), second.id)
  expect((await regions())[1]).toEqual({ ...second, name: 'Payments', named: true })
  const before = await positions()
  const from = await screen('n5')
  await tab.mouse.move(from.x, from.y)
  await tab.mouse.down()
  await tab.mouse.move(from.x + 80, from.y + 60, { steps: 5 })
  await tab.mouse.up()
  await settled()
  const { n5, ...others } = await positions()
  const { n5: was, ...othersBefore } = before
  expect(n5, 'a dragged node').not.toEqual(was)
  expect(others, 'moves alone').toEqual(othersBefore)

  const map = await tab.evaluate(() => globalThis.lab.view!.map())
  await tab.context().close()
  await open(0, {}, options)
  await tab.evaluate((known) => {
    globalThis.lab.view!.setMap(known)
    const { nodes, edges } = globalThis.lab.sample({ nodes: 120 })
    const added = (id: string) => ({ id, name: id, type: 'person', observationsCount: 1 })
    globalThis.lab.show({
      nodes: [...nodes, added('linked'), added('alone')],
      edges: [...edges, { id: 'new', fromEntityId: 'n7', toEntityId: 'linked', relationType: 'knows' }],
    })
  }, map)
  await settled()
  const after = await positions()
  const drift = Object.entries({ ...others, n5: n5! }).map(([id, [x, y]]) =>
    Math.hypot(after[id]![0] - x, after[id]![1] - y),
  )
  expect(Math.max(...drift), 'places are kept in whole units').toBeLessThan(1)
  const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort()
  expect(idsOf(await regions())).toEqual(idsOf(found))
  const told = await tab.evaluate(() =>
    globalThis.lab.events.filter(([name]) => name === 'map').map(([, value]) => value as GraphEvents['map']),
  )
  expect(
    told.map(({ before: dragged, places }) => [dragged, places.map(({ id, region }) => [id, region >= 0])]),
  ).toEqual([
    [undefined, [['linked', true], ['alone', false]]], // biome-ignore format: one pair a node
  ])
})

test('a node ends where the map says, even if that arrives while it is being placed', async () => {
  await open(40, {}, { regions: true, map: true })
  const stored = await tab.evaluate(() => {
    const linked = { id: 'late', name: 'Late', type: 'person', observationsCount: 1 }
    const edge = { id: 'link', fromEntityId: 'n7', toEntityId: 'late', relationType: 'knows' }
    globalThis.lab.view!.update({ nodes: [linked], edges: [edge] })
    // Its layout starts from here, and ends elsewhere.
    const [x, y] = globalThis.__graph!.positions().late!
    const place = { id: 'late', x: Math.round(x), y: Math.round(y), region: 0 }
    globalThis.lab.view!.setMap({ regions: globalThis.lab.view!.map().regions, places: [place] })
    return [place.x, place.y]
  })
  await settled()
  expect((await positions()).late).toEqual(stored)
})

test('a map that others enlarge does not change the scale of what is shown', async () => {
  await open(40, {}, { regions: true, map: true })
  const before = await positions()
  await tab.evaluate(() => {
    const places = Array.from({ length: 60 }, (_, i) => ({ id: `x${i}`, x: 900, y: 10 * i, region: -1 }))
    globalThis.lab.view!.setMap({ regions: [], places })
  })
  await settled()
  expect(await positions()).toEqual(before)
})

test('neighbours surround the selected node until Escape sends them back', async () => {
  await open(60, {}, { regions: true, ring: true })
  const before = await positions()
  const place = await screen('n3')
  await tab.mouse.click(place.x, place.y)
  await settled()
  const opened = await positions()
  const moved = Object.keys(before).filter((id) => before[id]![0] !== opened[id]![0])
  expect(moved.length).toBeGreaterThan(1)
  expect(moved).not.toContain('n3')
  const centre = await screen('n3')
  expect(Math.hypot(centre.x - 500, centre.y - 300)).toBeLessThan(2)
  await tab.keyboard.press('Escape')
  await settled()
  expect(await positions()).toEqual(before)
})

test('hidden nodes move nothing, a lasso reports its nodes, and the floor plan leads back', async () => {
  await open(60, {}, { regions: true })
  const before = await positions()
  await tab.evaluate(() => globalThis.lab.view!.hideNodes(new Set(['n1'])))
  await tab.evaluate(() => globalThis.lab.view!.hideRelationTypes(new Set(['knows'])))
  await tab.evaluate(() => globalThis.lab.view!.showUntil(Date.now()))
  await tab.keyboard.down('Shift')
  await tab.mouse.move(1, 1)
  await tab.mouse.down()
  for (const [x, y] of [
    [999, 1],
    [999, 599],
    [1, 599],
    [1, 1],
  ] as const)
    await tab.mouse.move(x, y, { steps: 3 })
  const end = await screen('n2')
  await tab.mouse.move(end.x, end.y)
  await tab.mouse.up()
  await tab.keyboard.up('Shift')
  expect(await selected(), 'a lasso that ends on a node does not select it').toBe(null)
  const held = await tab.evaluate(() => globalThis.lab.events.findLast(([name]) => name === 'lasso')?.[1])
  expect(held).toHaveLength(59)
  await tab.evaluate(() => globalThis.lab.view!.mark(['n2', 'n3']))
  await tab.keyboard.press('Escape')
  const left = await tab.evaluate(() => globalThis.lab.events.findLast(([name]) => name === 'lasso')?.[1])
  expect(left, 'Escape clears the selection').toEqual([])
  await tab.evaluate(() => globalThis.lab.view!.setLayout('plan'))
  await settled()
  const plan = await positions()
  expect(plan).not.toEqual(before)
  await tab.evaluate(() => globalThis.lab.view!.setLayout('graph'))
  await settled()
  expect(Object.keys(await positions())).toEqual(Object.keys(before))
})

test('creating and destroying twice, as StrictMode does, leaves one view and no worker behind', async () => {
  await open(10)
  await tab.evaluate(() => {
    globalThis.lab.view?.destroy()
    globalThis.lab.open().destroy()
    globalThis.lab.open()
    globalThis.lab.show(globalThis.lab.sample({ nodes: 10 }))
  })
  await settled()
  expect(tab.workers()).toHaveLength(2)
  expect(await tab.getByRole('application').count()).toBe(1)
  await tab.evaluate(() => globalThis.lab.view?.destroy())
  await expect.poll(() => tab.workers().length).toBe(0)
  expect(await tab.locator('#graph > *').count()).toBe(0)
  expect(await tab.evaluate(() => globalThis.__graph)).toBe(undefined)
})

test('without workers it draws and selects on the page, with the same layout', async () => {
  await open(40, { reducedMotion: 'reduce' })
  const before = await positions()
  expect(tab.workers()).toHaveLength(2)
  await tab.evaluate(() => {
    globalThis.lab.view?.destroy()
    globalThis.lab.openInPage()
    globalThis.lab.show(globalThis.lab.sample({ nodes: 40 }))
  })
  await settled()
  expect(tab.workers()).toHaveLength(0)
  expect(await positions()).toEqual(before)
  const place = await screen('n3')
  await tab.mouse.click(place.x, place.y)
  expect(await selected()).toBe('n3')
  const png = await tab.evaluate(async () => (await globalThis.lab.view!.exportPng()).size)
  expect(png).toBeGreaterThan(5_000)
})

test('exports the visible area as PNG and SVG in the colours of the types', async () => {
  await open(30)
  const [bytes, type] = await tab.evaluate(async () => {
    const blob = await globalThis.lab.view!.exportPng()
    return [blob.size, blob.type] as const
  })
  expect(type).toBe('image/png')
  expect(bytes).toBeGreaterThan(20_000)
  const svg = await tab.evaluate(() => globalThis.lab.view!.exportSvg())
  expect(svg.match(/<circle/g)).toHaveLength(30)
})

/** The colours on the screen from the centre of a node to the right, a pixel each. */
async function coloursFrom(id: string, width: number): Promise<string[]> {
  const place = await screen(id)
  const clip = { x: Math.round(place.x), y: Math.round(place.y), width, height: 1 }
  const png = await tab.screenshot({ clip })
  return tab.evaluate(async (base64) => {
    const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const image = await createImageBitmap(new Blob([binary], { type: 'image/png' }))
    const painter = new OffscreenCanvas(image.width, 1).getContext('2d')!
    painter.drawImage(image, 0, 0)
    const pixel = (x: number) => [...painter.getImageData(x, 0, 1, 1).data.subarray(0, 3)].join(' ')
    return Array.from({ length: image.width }, (_, x) => pixel(x))
  }, png.toString('base64'))
}

test('draws a node in its colour where the handle says it is', async () => {
  await open(30)
  await expect.poll(async () => (await coloursFrom('n1', 4))[1]).toBe('58 98 226')
})

test('draws everything again after the graphics process has crashed', async () => {
  await open(30)
  const colour = async () => (await coloursFrom('n1', 4))[1]
  await expect.poll(colour).toBe('58 98 226')
  const session = await browser.newBrowserCDPSession()
  // Notices the crash as the picture's canvases do.
  await tab.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')!.fillRect(0, 0, 1, 1)
    canvas.addEventListener('contextrestored', () => document.body.append('restored'))
  })
  await session.send('Browser.crashGpuProcess')
  await expect.poll(() => tab.locator('body').textContent(), { timeout: 10_000 }).toContain('restored')
  await expect.poll(colour, { timeout: 10_000 }).toBe('58 98 226')
})

test('rings the start of a path until its end is picked', async () => {
  await open(30)
  const ring = async () => (await coloursFrom('n1', 40)).includes('219 39 119')
  expect(await ring()).toBe(false)
  await tab.evaluate(() => globalThis.lab.view?.markStart('n1'))
  await expect.poll(ring).toBe(true)
  await tab.evaluate(() => globalThis.lab.view?.markStart(null))
  await expect.poll(ring).toBe(false)
})

test('follows the size of its container, and hides types without moving other nodes', async () => {
  await open(40)
  const before = await positions()
  await tab.setViewportSize({ width: 600, height: 600 })
  await tab.evaluate(() => globalThis.lab.view?.hideTypes(new Set(['concept'])))
  await settled()
  const place = await screen('n1')
  expect(place.x).toBeLessThan(600)
  await tab.mouse.click(place.x, place.y)
  expect(await selected(), 'n1 is a concept').toBe(null)
  expect(await positions()).toEqual(before)
})
