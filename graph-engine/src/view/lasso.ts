import { attachStroke, createShape, pointOf, setAll } from './stroke.ts'

const stepMin = 4

export type LassoOptions = {
  /** Whether this press starts a lasso. */
  begins(event: PointerEvent): boolean
  /** A closed line in pixels of the surface: x0, y0, x1, y1, ... */
  drawn(line: readonly number[]): void
}

/** Draws a line that follows the pointer. Returns a function that detaches it. */
export function attachLasso(root: HTMLElement, options: LassoOptions): () => void {
  const shape = createShape('polygon')
  setAll(shape, {
    fill: 'currentColor',
    'fill-opacity': 0.08,
    'stroke-width': 1.5,
    'stroke-dasharray': '5 4',
  })
  let line: number[] = []
  return attachStroke(root, {
    shapes: [shape],
    begins(event) {
      line = []
      return options.begins(event)
    },
    follows(event) {
      const [x, y] = pointOf(root, event)
      if (line.length > 0 && Math.hypot(x - line.at(-2)!, y - line.at(-1)!) < stepMin) return
      line.push(x, y)
      shape.setAttribute('points', line.join(' '))
    },
    ends() {
      const drew = line.length >= 6
      if (drew) options.drawn(line)
      return drew
    },
  })
}
