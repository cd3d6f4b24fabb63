import { withAlpha } from '../model/colors.ts'
import { cutText } from '../model/label.ts'
import type { Occupancy } from './label-placement.ts'
import { levelOf } from './level.ts'
import type { Painter } from './paint.ts'
import { regionColor } from './region-colors.ts'
import type { Scene } from './scene.ts'

/** A name of a region: its anchor in graph units, and its offset from that in pixels. */
export type RegionName = {
  row: number
  kind: 'far' | 'middle'
  text: string
  count: string
  size: number
  x: number
  y: number
  dx: number
  dy: number
  width: number
  nameWidth: number
}

type Measure = { font: string; measureText(text: string): { width: number } }

const nameLengthMax = 28
const phoneWidth = 600
const smaller = 0.78
const middleSize = 11
/** Of the size of the name. */
const plateHeight = 1.4
const countShare = 0.72
const gap = 5
/** Names in the overview: one for so many square pixels of free canvas, and not more; nor a larger share of it. */
const farNamesMax = 16
const farNamesMin = 5
const areaPerName = 45_000
const namesShareMax = 0.04
/** On a canvas smaller than this, names are smaller too. */
const roomyArea = 950_000
const alikeShare = 0.8
const plateAlpha = { light: 0.78, dark: 0.7 } as const

/** Chooses the names of regions: all that fit, the largest region first; in the overview, about as large ones spread out. */
export function placeRegionNames(
  painter: Measure,
  scene: Scene,
  occupancy: Occupancy,
  nodes: Occupancy,
): RegionName[] {
  const level = levelOf(scene)
  const { regions } = scene
  if (!regions || level === 'near') return []
  const tops = topsOf(scene)
  const most = level === 'far' ? farNamesOf(scene) : Number.POSITIVE_INFINITY
  const placed: RegionName[] = []
  let free = level === 'far' ? namesShareMax * freeAreaOf(scene) : Number.POSITIVE_INFINITY
  const rows = inOrder(regions)
  for (const row of level === 'far' ? spreadOut(rows, scene, placed) : rows) {
    const name = scene.regionNames[row]
    if (!name) continue
    if (placed.length >= most) break
    const sizes = level === 'far' ? farSizes(scene, regions.size[row]!) : [middleSize]
    const labels = sizes
      .map((size) => labelOf(painter, scene, row, name, level, size, tops))
      .filter((label) => label !== null)
      .filter((label) => placed.length === 0 || areaOf(label) <= free)
      .flatMap((label) => shifted(label, shifts[level]))
    const clear = labels.find((label) => takeRoom(scene, occupancy, label, nodes))
    // On the upper edge of its own region, rather than on the nodes of the one above; but never across its neighbours.
    const isNarrow = (label: RegionName) => level !== 'far' || label.width <= widthMax * widthOf(scene, row)
    const found =
      clear ??
      labels
        .filter(isNarrow)
        .map(lowered)
        .find((label) => takeRoom(scene, occupancy, label))
    if (!found) continue
    placed.push(found)
    free -= areaOf(found)
  }
  return placed
}

/** A name on its own region may be this many times as wide as the region is. */
const widthMax = 1.5

/** About how wide a region is on the screen; any width without an outline. */
function widthOf({ outlines, view }: Scene, row: number): number {
  if (!outlines) return Number.POSITIVE_INFINITY
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let loop = 0; loop < outlines.region.length; loop++) {
    if (outlines.region[loop] !== row) continue
    for (let i = outlines.start[loop]!; i < outlines.start[loop + 1]!; i++) {
      left = Math.min(left, outlines.points[2 * i]!)
      right = Math.max(right, outlines.points[2 * i]!)
    }
  }
  return right < left ? Number.POSITIVE_INFINITY : (right - left) * view.k
}

const areaOf = ({ width, size }: RegionName) => width * size * plateHeight

/** Single nodes first, since they are no region of their own and nothing else says what they are; then by size. */
function inOrder({ size, loose }: NonNullable<Scene['regions']>): number[] {
  const rows = [...size.keys()]
  return loose < 0 ? rows : [loose, ...rows.filter((row) => row !== loose)]
}

/** Of regions about as large as the largest that is left, the one farthest from the names placed so far comes first. */
function* spreadOut(
  rows: readonly number[],
  { regions, centres }: Scene,
  placed: readonly RegionName[],
): Generator<number> {
  const left = [...rows]
  const { size, loose } = regions!
  const farness = (row: number) =>
    Math.min(
      ...placed.map((name) =>
        Math.hypot(
          centres[2 * row]! - centres[2 * name.row]!,
          centres[2 * row + 1]! - centres[2 * name.row + 1]!,
        ),
      ),
    )
  while (left.length > 0) {
    const largest = left[0]!
    const isAlike = (row: number) => row === largest || size[row]! >= alikeShare * size[largest]!
    const alike = largest === loose || placed.length === 0 ? [largest] : left.filter(isAlike)
    const next = alike.reduce((best, row) => (farness(row) > farness(best) ? row : best))
    left.splice(left.indexOf(next), 1)
    yield next
  }
}

export function paintRegionNames(painter: Painter, scene: Scene, names: readonly RegionName[]): void {
  const { theme, regions, view } = scene
  painter.textBaseline = 'middle'
  painter.textAlign = 'left'
  for (const { row, kind, text, count, size, x, y, dx, dy, width, nameWidth } of names) {
    const left = x * view.k + view.x + dx - width / 2
    const middle = y * view.k + view.y + dy
    const isFar = kind === 'far'
    painter.fillStyle = withAlpha(theme.background, isFar ? plateAlpha[theme.scheme] : 0.55)
    painter.beginPath()
    painter.roundRect(left - 3, middle - size * 0.72, width + 6, size * plateHeight, 3)
    painter.fill()
    painter.font = fontOf(scene, kind, size)
    painter.fillStyle = isFar
      ? theme.label
      : regionColor(theme.scheme, 'name', regions?.tint[row] ?? Number.NaN)
    painter.fillText(text, left, middle)
    painter.font = `500 ${countSize(kind, size)}px ${scene.font.family}`
    painter.fillStyle = theme.labelMuted
    painter.fillText(count, left + nameWidth + gap, middle)
  }
}

function fontOf(scene: Scene, kind: RegionName['kind'], size: number): string {
  return `${kind === 'far' ? 650 : 600} ${size}px ${scene.font.family}`
}

function countSize(kind: RegionName['kind'], size: number): number {
  return kind === 'far' ? size * countShare : size
}

function farSizes(scene: Scene, count: number): number[] {
  const [least, most] = scene.width < phoneWidth ? [10.5, 13] : [11.5, 15.5]
  const room = Math.min(1, Math.sqrt(freeAreaOf(scene) / roomyArea))
  const wanted = 5.5 + 7.5 * scene.view.k * Math.sqrt(count)
  const size = Math.max(least, Math.min(most * room, wanted))
  return [size, Math.max(least, size * smaller)]
}

function farNamesOf(scene: Scene): number {
  return Math.min(farNamesMax, Math.max(farNamesMin, Math.floor(freeAreaOf(scene) / areaPerName)))
}

/** Square pixels that no panel covers. */
function freeAreaOf({ width, height, padding }: Scene): number {
  const { left, right, top, bottom } = padding
  return Math.max(0, width - left - right) * Math.max(0, height - top - bottom)
}

function labelOf(
  painter: Measure,
  scene: Scene,
  row: number,
  name: string,
  level: 'far' | 'middle',
  size: number,
  tops: Float64Array,
): RegionName | null {
  const cut = cutText(name, nameLengthMax)
  const text = level === 'middle' ? cut.toUpperCase() : cut
  const count = scene.regions!.size[row]!.toLocaleString('en')
  painter.font = fontOf(scene, level, size)
  const nameWidth = painter.measureText(text).width
  painter.font = `500 ${countSize(level, size)}px ${scene.font.family}`
  const width = nameWidth + gap + painter.measureText(count).width
  const hasTop = Number.isFinite(tops[2 * row]!)
  if (!hasTop && level === 'middle') return null
  const places = hasTop ? tops : scene.centres
  const x = places[2 * row]!
  const y = places[2 * row + 1]!
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null
  return {
    row,
    kind: level,
    text,
    count,
    size,
    x,
    y,
    dx: 0,
    dy: hasTop ? -size : 0,
    width,
    nameWidth,
  }
}

const lowered = (name: RegionName): RegionName =>
  name.kind === 'far' ? { ...name, dy: name.dy + name.size } : name

type Shifts = readonly (readonly [dx: number, dy: number])[]

/** One of these positions may cover no node; failing that, no other name. */
const shifts: { far: Shifts; middle: Shifts } = {
  far: [
    [0, 0],
    [0, -8],
    [-30, 0],
    [30, 0],
    [0, 10],
    [0, 18],
  ],
  middle: [
    [0, 0],
    [0, -8],
    [-34, -2],
    [34, -2],
    [0, 8],
    [-60, 4],
    [60, 4],
  ],
}

function shifted(name: RegionName, by: Shifts): RegionName[] {
  return by.map(([dx, dy]) => ({ ...name, dx: name.dx + dx, dy: name.dy + dy }))
}

/** @param avoid must not be covered either, but is not occupied */
function takeRoom(
  { view, width: viewWidth, height }: Scene,
  occupancy: Occupancy,
  name: RegionName,
  avoid?: Occupancy,
): boolean {
  const x = name.x * view.k + view.x + name.dx
  const y = name.y * view.k + view.y + name.dy
  if (x < 0 || y < 0 || x > viewWidth || y > height) return false
  const half = name.width / 2 + 3
  // A name at the rim moves inwards.
  const [insideX, insideY] = [clamp(x, half, viewWidth - half), clamp(y, 10, height - 10)]
  const rise = name.size * 0.7
  const box = [insideX - half, insideY - rise, insideX + half, insideY + rise] as const
  if (!occupancy.isFree(...box) || avoid?.isFree(...box) === false) return false
  name.dx += insideX - x
  name.dy += insideY - y
  occupancy.take(...box)
  return true
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}

/**
 * The highest point of each region's outline, moved sideways halfway to its centre; NaN without an
 * outline.
 */
function topsOf({ outlines, regions, centres }: Scene): Float64Array {
  const rows = regions?.size.length ?? 0
  const tops = Float64Array.from({ length: 2 * rows }, (_, i) => (i % 2 === 0 ? Number.NaN : Infinity))
  for (let loop = 0; outlines && loop < outlines.region.length; loop++) {
    const row = outlines.region[loop]!
    for (let i = outlines.start[loop]!; i < outlines.start[loop + 1]!; i++) {
      if (outlines.points[2 * i + 1]! >= tops[2 * row + 1]!) continue
      tops[2 * row] = (outlines.points[2 * i]! + centres[2 * row]!) / 2
      tops[2 * row + 1] = outlines.points[2 * i + 1]!
    }
  }
  return tops
}
