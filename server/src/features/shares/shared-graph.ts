import { Html, html } from '../../ground/lib/html.ts'
import type { SharedPage } from './read-shared.ts'
import { alongPath, type Point, slotIndex, toPoints } from './shares.rules.ts'

const box = { width: 900, height: 620, margin: 70 }
const nameCharacters = 26
const characterWidth = 7.4
const nameHeight = 16
/** Relations of more entities are named in the list only. */
const namedRelationsMax = 14
/** More lines than this are drawn faintly and without arrows. */
const linesMax = 60
/** How far the ground of a region reaches around each of its entities. */
const areaReach = 66
/** A phone shows the picture this much smaller, and so fewer and larger names. */
const phoneScale = 2.3

/** Where the entities of a page are drawn in a box. */
export function pointsOf({ share, entities }: SharedPage, area: typeof box): Point[] {
  const places = share.kind === 'path' ? alongPath(entities.length) : entities.map(({ place }) => place)
  return toPoints(places, area)
}

/** The picture of a page: each dot leads to its entity in the list. */
export function drawGraph(page: SharedPage): Html {
  const points = pointsOf(page, box)
  const pointOf = new Map(page.entities.map(({ number }, index) => [number, points[index]!]))
  const isCrowded = page.relations.length > linesMax
  // Of several relations between two entities, one is named: the others would cover it.
  const named = new Set<string>()
  const lines = page.relations.flatMap(({ from, to, type: relation }) => {
    const [a, b] = [pointOf.get(from), pointOf.get(to)]
    const pair = `${Math.min(from, to)} ${Math.max(from, to)}`
    const type = named.has(pair) ? '' : relation.replaceAll('_', ' ')
    named.add(pair)
    return a && b ? [lineOf(a, b, page.entities.length <= namedRelationsMax ? type : '', !isCrowded)] : []
  })
  const isNamed = chooseNames(page, points, 1)
  const isNamedSmall = chooseNames(page, points, phoneScale)
  const dots = page.entities.map(({ number, name, colour, facts }, index) => {
    const { x, y } = points[index]!
    const radius = radiusOf(facts.length)
    const label = (shown: boolean | undefined, size: 'wide' | 'small', scale: number) =>
      shown
        ? html`<text class="${size}" x="${round(nameX(x, name, scale))}" y="${round(y + radius + 15 * scale)}">${cut(name)}</text>`
        : none
    const labels = html`${label(isNamed[index], 'wide', 1)}${label(isNamedSmall[index], 'small', phoneScale)}`
    return html`<a href="#e${number}" class="c${slotIndex(colour)}"><title>${name}</title><circle cx="${round(x)}" cy="${round(y)}" r="${radius}"/>${labels}</a>`
  })
  return html`<svg viewBox="0 0 ${box.width} ${box.height}" role="group" aria-label="Graph of ${page.entities.length} entities"><defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 1 8 4 0 7z"/></marker></defs>${page.share.kind === 'region' ? areaOf(page, points) : none}<g class="${isCrowded ? 'lines faint' : 'lines'}">${lines}</g>${dots}</svg>`
}

const none = new Html('')
const arrow = new Html(' marker-end="url(#arrow)"')
const radiusOf = (facts: number) => Math.min(16, 8 + facts)

/** The ground of a region: discs around its entities, and its outline around all of them. */
function areaOf({ entities }: SharedPage, points: readonly Point[]): Html {
  const discs = (reach: number) =>
    entities.map((_, index) => {
      const { x, y } = points[index]!
      return html`<circle cx="${round(x)}" cy="${round(y)}" r="${reach}"/>`
    })
  return html`<g class="rim">${discs(areaReach)}</g><g class="area">${discs(areaReach - 1)}</g>`
}

/**
 * Which entities have their name beside them: the first on the page, as far as no name covers another one or a dot.
 * The very first always has.
 */
function chooseNames({ entities }: SharedPage, points: readonly Point[], scale: number): boolean[] {
  const taken: { x: number; y: number; half: number }[] = []
  return entities.map(({ name, facts }, index) => {
    const x = nameX(points[index]!.x, name, scale)
    const y = points[index]!.y + radiusOf(facts.length) + 10 * scale
    const half = halfOf(name, scale)
    const covers = (one: (typeof taken)[number]) =>
      Math.abs(one.y - y) < scale * nameHeight && Math.abs(one.x - x) < one.half + half
    const coversDot = (point: Point, other: number) => {
      const reach = radiusOf(entities[other]!.facts.length)
      return Math.abs(point.y - y) < (scale * nameHeight) / 2 + reach && Math.abs(point.x - x) < half + reach
    }
    const hasNoRoom =
      y > box.height ||
      taken.some(covers) ||
      points.some((at, other) => other !== index && coversDot(at, other))
    if (index > 0 && hasNoRoom) return false
    taken.push({ x, y, half })
    return true
  })
}

const halfOf = (name: string, scale: number) => (scale * cut(name).length * characterWidth) / 2

/** The middle of a name below a dot; near the edge of the picture it moves inwards. */
function nameX(x: number, name: string, scale: number): number {
  const half = halfOf(name, scale)
  return Math.max(half, Math.min(box.width - half, x))
}

const round = (value: number) => Math.round(value)
const cut = (name: string) =>
  name.length > nameCharacters ? `${name.slice(0, nameCharacters - 1).trimEnd()}…` : name

/** Ends before the dots, so that the arrow shows. */
function lineOf(a: Point, b: Point, type: string, hasArrow: boolean): Html {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const [dx, dy] = [((b.x - a.x) / length) * 18, ((b.y - a.y) / length) * 18]
  const line = html`<line x1="${round(a.x + dx)}" y1="${round(a.y + dy)}" x2="${round(b.x - dx)}" y2="${round(b.y - dy)}"${hasArrow ? arrow : none}/>`
  if (type === '' || length < 110) return line
  return html`${line}<text class="relation" x="${round((a.x + b.x) / 2)}" y="${round((a.y + b.y) / 2 - 4)}">${cut(type)}</text>`
}
