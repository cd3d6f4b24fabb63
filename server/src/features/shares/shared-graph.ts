import { Html, html } from '../../ground/lib/html.ts'
import type { SharedPage } from './read-shared.ts'
import { alongPath, type Point, slotIndex, toPoints } from './shares.rules.ts'

const box = { width: 900, height: 620, margin: 70 }
const nameCharacters = 26
const characterWidth = 7.4
const nameHeight = 16
/** Relations of more entities are named in the list only. */
const namedRelationsMax = 14

/** Where the entities of a page are drawn in a box. */
export function pointsOf({ share, entities }: SharedPage, area: typeof box): Point[] {
  const places = share.kind === 'path' ? alongPath(entities.length) : entities.map(({ place }) => place)
  return toPoints(places, area)
}

/** The picture of a page: each dot leads to its entity in the list. */
export function drawGraph(page: SharedPage): Html {
  const points = pointsOf(page, box)
  const pointOf = new Map(page.entities.map(({ number }, index) => [number, points[index]!]))
  const lines = page.relations.flatMap(({ from, to, type }) => {
    const [a, b] = [pointOf.get(from), pointOf.get(to)]
    return a && b ? [lineOf(a, b, page.entities.length <= namedRelationsMax ? type : '')] : []
  })
  const isNamed = chooseNames(page, points)
  const dots = page.entities.map(({ number, name, colour, facts }, index) => {
    const { x, y } = points[index]!
    const radius = radiusOf(facts.length)
    const label = isNamed[index]
      ? html`<text x="${round(x)}" y="${round(y + radius + 15)}">${cut(name)}</text>`
      : none
    return html`<a href="#e${number}" class="c${slotIndex(colour)}"><title>${name}</title><circle cx="${round(x)}" cy="${round(y)}" r="${radius}"/>${label}</a>`
  })
  return html`<svg viewBox="0 0 ${box.width} ${box.height}" role="group" aria-label="Graph of ${page.entities.length} entities"><defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 1 8 4 0 7z"/></marker></defs>${lines}${dots}</svg>`
}

const none = new Html('')
const radiusOf = (facts: number) => Math.min(16, 8 + facts)

/** Which entities have their name beside them: the first on the page, as far as no name covers another. */
function chooseNames({ entities }: SharedPage, points: readonly Point[]): boolean[] {
  const taken: { x: number; y: number; half: number }[] = []
  return entities.map(({ name, facts }, index) => {
    const { x } = points[index]!
    const y = points[index]!.y + radiusOf(facts.length)
    const half = (cut(name).length * characterWidth) / 2
    const covers = (one: (typeof taken)[number]) =>
      Math.abs(one.y - y) < nameHeight && Math.abs(one.x - x) < one.half + half
    if (taken.some(covers)) return false
    taken.push({ x, y, half })
    return true
  })
}

const round = (value: number) => Math.round(value)
const cut = (name: string) =>
  name.length > nameCharacters ? `${name.slice(0, nameCharacters - 1).trimEnd()}…` : name

/** Ends before the dots, so that the arrow shows. */
function lineOf(a: Point, b: Point, type: string): Html {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const [dx, dy] = [((b.x - a.x) / length) * 18, ((b.y - a.y) / length) * 18]
  const line = html`<line x1="${round(a.x + dx)}" y1="${round(a.y + dy)}" x2="${round(b.x - dx)}" y2="${round(b.y - dy)}" marker-end="url(#arrow)"/>`
  if (type === '' || length < 110) return line
  return html`${line}<text class="relation" x="${round((a.x + b.x) / 2)}" y="${round((a.y + b.y) / 2 - 4)}">${cut(type)}</text>`
}
