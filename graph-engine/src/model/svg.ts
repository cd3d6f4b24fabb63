import type { ViewTransform } from '../protocol.ts'
import type { GraphFont, GraphTheme } from '../types.ts'
import { bendOf, type EdgeShape, emptyEdgeShape, screenRadius, shapeEdge, shapeLoop } from './geometry.ts'
import type { GraphModel } from './graph-model.ts'
import { cutLabel } from './label.ts'
import type { TypeStyle } from './palette.ts'

export type SvgInput = {
  model: GraphModel
  positions: Float32Array
  visible: Uint8Array | null
  palette: readonly TypeStyle[]
  theme: GraphTheme
  font: GraphFont
  view: ViewTransform
  width: number
  height: number
}

const namedRadiusMin = 3.6

/** The picture as an SVG document; nodes have full names as tooltips, edges their types. */
export function svgOf(input: SvgInput): string {
  const { theme, width, height, font } = input
  const onPage = nodesOnPage(input)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${escapeXml(font.family)}">`,
    `<rect width="100%" height="100%" fill="${escapeXml(theme.background)}"/>`,
    `<g fill="none" stroke="${escapeXml(theme.edge)}" stroke-width="1.2">`,
    ...edgeElements(input, onPage),
    '</g><g>',
    ...nodeElements(input, onPage),
    `</g><g font-size="12" font-weight="500" text-anchor="middle" fill="${escapeXml(theme.label)}" stroke="${escapeXml(theme.background)}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke">`,
    ...nameElements(input, onPage),
    '</g></svg>',
  ]
  return parts.join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those that XML 1.0 forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export function escapeXml(text: string): string {
  return text
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function nodesOnPage({ model, positions, visible, view, width, height }: SvgInput): Uint8Array {
  return Uint8Array.from(model.nodes, (_, i) => {
    const x = positions[2 * i]! * view.k + view.x
    const y = positions[2 * i + 1]! * view.k + view.y
    const shown = !visible || visible[i] === 1
    return shown && x > -20 && y > -20 && x < width + 20 && y < height + 20 ? 1 : 0
  })
}

function* edgeElements({ model, positions, visible, view }: SvgInput, onPage: Uint8Array): Generator<string> {
  const { numbers } = model
  const { source, target } = numbers
  const shape = emptyEdgeShape()
  for (let i = 0; i < source.length; i++) {
    const s = source[i]!
    const t = target[i]!
    if (onPage[s] === 0 && onPage[t] === 0) continue
    if (visible && (visible[s] === 0 || visible[t] === 0)) continue
    const x1 = positions[2 * s]! * view.k + view.x
    const y1 = positions[2 * s + 1]! * view.k + view.y
    const x2 = positions[2 * t]! * view.k + view.x
    const y2 = positions[2 * t + 1]! * view.k + view.y
    const radius = screenRadius(numbers.radius[t]!, view.k)
    const bend = bendOf(numbers, i)
    if (s === t) shapeLoop(shape, x1, y1, radius, view.k, bend)
    else shapeEdge(shape, x1, y1, x2, y2, radius, bend * Math.min(view.k, 1.5))
    const type = escapeXml(model.edgeTypeName(i))
    yield `<path d="${pathOf(shape)}"><title>${type}</title></path>`
  }
}

function pathOf(shape: EdgeShape): string {
  const start = `M${round(shape.x1)} ${round(shape.y1)}`
  const end = `${round(shape.x2)} ${round(shape.y2)}`
  const first = `${round(shape.cx1)} ${round(shape.cy1)}`
  if (shape.kind === 'line') return `${start}L${end}`
  if (shape.kind === 'curve') return `${start}Q${first} ${end}`
  return `${start}C${first} ${round(shape.cx2)} ${round(shape.cy2)} ${end}`
}

function* nodeElements(input: SvgInput, onPage: Uint8Array): Generator<string> {
  const { model, positions, view, palette, theme } = input
  for (let i = 0; i < model.nodes.length; i++) {
    if (onPage[i] === 0) continue
    const { name, type } = model.nodes[i]!
    const radius = screenRadius(model.numbers.radius[i]!, view.k)
    const rim =
      radius >= 3
        ? ` stroke="${escapeXml(theme.background)}" stroke-width="${round(Math.min(2, radius * 0.2))}"`
        : ''
    const x = round(positions[2 * i]! * view.k + view.x)
    const y = round(positions[2 * i + 1]! * view.k + view.y)
    const color = escapeXml(palette[model.numbers.color[i]!]?.color ?? '#808080')
    yield `<circle cx="${x}" cy="${y}" r="${round(radius)}" fill="${color}"${rim}><title>${escapeXml(`${name} (${type})`)}</title></circle>`
  }
}

function* nameElements({ model, positions, view }: SvgInput, onPage: Uint8Array): Generator<string> {
  for (let i = 0; i < model.nodes.length; i++) {
    const radius = screenRadius(model.numbers.radius[i]!, view.k)
    if (onPage[i] === 0 || radius < namedRadiusMin) continue
    const { name, type } = model.nodes[i]!
    const x = round(positions[2 * i]! * view.k + view.x)
    const y = round(positions[2 * i + 1]! * view.k + view.y + radius + 14)
    yield `<text x="${x}" y="${y}">${escapeXml(cutLabel(name, type))}</text>`
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
