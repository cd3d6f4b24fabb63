import { attachStroke, createShape, pointOf, setAll } from './stroke.ts'

export type LinkOptions = {
  /** The node from which this press draws a line, or -1. */
  begins(event: PointerEvent): number
  /** The node at a point of the surface, or -1. */
  nodeAt(x: number, y: number): number
  /** Where a node is on the surface. */
  placeOf(node: number): [x: number, y: number]
  /** The node that the line leads to meanwhile, or -1. */
  over(node: number): void
  linked(from: number, to: number): void
}

/** Draws a line from a node to another one. Returns a function that detaches it. */
export function attachLink(root: HTMLElement, options: LinkOptions): () => void {
  const line = createShape('line')
  const tip = createShape('circle')
  for (const shape of [line, tip]) setAll(shape, { fill: 'none', 'stroke-width': 2 })
  line.setAttribute('stroke-dasharray', '6 4')
  let from = -1
  let to = -1
  return attachStroke(root, {
    shapes: [line, tip],
    begins(event) {
      from = options.begins(event)
      return from >= 0
    },
    follows(event) {
      const point = pointOf(root, event)
      const under = options.nodeAt(...point)
      to = under === from ? -1 : under
      options.over(to)
      // It snaps to the node that it would lead to.
      const [x, y] = to >= 0 ? options.placeOf(to) : point
      const [startX, startY] = options.placeOf(from)
      setAll(line, { x1: startX, y1: startY, x2: x, y2: y })
      setAll(tip, { cx: x, cy: y, r: to >= 0 ? 12 : 4 })
    },
    ends() {
      if (to >= 0) options.linked(from, to)
      return true
    },
    gone: () => options.over(-1),
  })
}
