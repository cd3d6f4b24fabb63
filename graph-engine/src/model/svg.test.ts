import { expect, test } from 'vitest'
import { lightTheme } from '../theme.ts'
import { GraphModel } from './graph-model.ts'
import { svgOf } from './svg.ts'

const model = new GraphModel()
const graph = {
  nodes: [
    { id: 'a', name: '</svg><script>alert("1")</script>', type: 'a & b', observationsCount: 1 },
    { id: 'b', name: "it's\u0000", type: 'person', observationsCount: 4 },
  ],
  edges: [
    { id: '1', fromEntityId: 'a', toEntityId: 'b', relationType: '<i>"' },
    { id: '2', fromEntityId: 'b', toEntityId: 'b', relationType: 'loop' },
  ],
}
model.apply(graph)
const input = {
  model,
  positions: Float32Array.from([0, 0, 100, 50]),
  visible: null,
  palette: model.palette({}, 'light').map((style) => ({ ...style, color: '"><script>' })),
  theme: lightTheme,
  font: { family: '"Geist Variable", sans-serif' },
  view: { k: 1, x: 50, y: 50 },
  width: 400,
  height: 300,
}

test('text in an exported SVG cannot become markup', () => {
  const svg = svgOf(input)
  expect(svg).not.toContain('<script')
  expect(svg).not.toContain('<i>')
  expect(svg).not.toContain('\u0000')
  expect(svg).toContain('&lt;/svg&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; (a &amp; b)')
  const tags = svg.match(/<\/?[a-z]+/g) ?? []
  expect(new Set(tags.map((tag) => tag.replace(/<\/?/, '')))).toEqual(
    new Set(['svg', 'rect', 'g', 'path', 'title', 'circle', 'text']),
  )
})

test('hidden nodes and their edges are not exported', () => {
  const svg = svgOf({ ...input, visible: Uint8Array.from([0, 1]) })
  expect(svg.match(/<circle/g)).toHaveLength(1)
  expect(svg.match(/<path/g)).toHaveLength(1)
})
