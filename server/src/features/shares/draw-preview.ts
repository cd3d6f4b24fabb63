import { crc32, deflateSync } from 'node:zlib'
import type { SharedPage } from './read-shared.ts'
import { pointsOf } from './shared-graph.ts'
import { type Point, slotColours, slotIndex } from './shares.rules.ts'

export const previewSize = { width: 1200, height: 630, margin: 70 }

type Colour = readonly [red: number, green: number, blue: number]
const ground: Colour = [248, 247, 244]
const edge: Colour = [176, 183, 196]
/** The ground around the entities of a region. */
const area: Colour = [237, 236, 250]
const areaReach = 66
const pieceLength = 24

/** The picture of a page for previews in chats: its dots and lines, without names, as a PNG. */
export function drawPreview(page: SharedPage): Buffer {
  const { width, height } = previewSize
  const pixels = Buffer.alloc(3 * width * height)
  for (let at = 0; at < pixels.length; at++) pixels[at] = ground[at % 3]!
  const points = pointsOf(page, previewSize)
  const pointOf = new Map(page.entities.map(({ number }, index) => [number, points[index]!]))
  if (page.share.kind === 'region')
    for (const point of points) paint(pixels, boxOf([point], areaReach), area, inDisc(point, areaReach))
  const halfWidth = page.relations.length > 60 ? 0.7 : 1.2
  for (const { from, to } of page.relations) {
    const [a, b] = [pointOf.get(from), pointOf.get(to)]
    if (a && b) paintLine(pixels, a, b, halfWidth)
  }
  for (const [index, { colour }] of page.entities.entries()) {
    const centre = points[index]!
    const radius = page.entities.length > 60 ? 9 : 15
    const fill = colourOf(slotColours[slotIndex(colour)]![0])
    paint(pixels, boxOf([centre], radius + 4), ground, inDisc(centre, radius + 3))
    paint(pixels, boxOf([centre], radius + 1), fill, inDisc(centre, radius))
  }
  return toPng(pixels, width, height)
}

const colourOf = (hex: string): Colour => {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function boxOf(points: readonly Point[], margin: number) {
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)))
  return {
    left: clamp(Math.min(...points.map(({ x }) => x)) - margin, previewSize.width),
    right: clamp(Math.max(...points.map(({ x }) => x)) + margin, previewSize.width),
    top: clamp(Math.min(...points.map(({ y }) => y)) - margin, previewSize.height),
    bottom: clamp(Math.max(...points.map(({ y }) => y)) + margin, previewSize.height),
  }
}

/** Mixes a colour into the pixels of a box, by how far inside the shape each is. */
function paint(
  pixels: Buffer,
  { left, right, top, bottom }: ReturnType<typeof boxOf>,
  colour: Colour,
  inside: (x: number, y: number) => number,
): void {
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const share = Math.min(1, inside(x + 0.5, y + 0.5) + 0.5)
      if (share <= 0) continue
      const at = 3 * (y * previewSize.width + x)
      for (let i = 0; i < 3; i++) pixels[at + i]! += Math.round((colour[i]! - pixels[at + i]!) * share)
    }
  }
}

const inDisc =
  ({ x, y }: Point, radius: number) =>
  (atX: number, atY: number) =>
    radius - Math.hypot(atX - x, atY - y)

/** Paints the boxes along a line, rather than the one around it: a page has up to a thousand relations. */
function paintLine(pixels: Buffer, a: Point, b: Point, halfWidth: number): void {
  const pieces = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / pieceLength))
  const at = (i: number): Point => ({
    x: a.x + ((b.x - a.x) * i) / pieces,
    y: a.y + ((b.y - a.y) * i) / pieces,
  })
  for (let i = 0; i < pieces; i++) {
    const [from, to] = [at(i), at(i + 1)]
    paint(pixels, boxOf([from, to], 2), edge, (x, y) => halfWidth - distanceToLine({ x, y }, from, to))
  }
}

function distanceToLine(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy || 1)
  const t = Math.max(0, Math.min(1, along))
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy)
}

/** An 8-bit RGB image (PNG, third edition, 2003): one chunk of pixels, each row unfiltered. */
function toPng(pixels: Buffer, width: number, height: number): Buffer {
  const rows = Buffer.alloc((3 * width + 1) * height)
  for (let y = 0; y < height; y++)
    pixels.copy(rows, y * (3 * width + 1) + 1, 3 * width * y, 3 * width * (y + 1))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
