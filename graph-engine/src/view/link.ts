const svgNamespace = 'http://www.w3.org/2000/svg'

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
  const listeners = new AbortController()
  const { signal } = listeners
  const line = document.createElementNS(svgNamespace, 'line')
  const tip = document.createElementNS(svgNamespace, 'circle')
  const picture = createPicture(line, tip)
  let from = -1
  let to = -1
  let pointer: number | undefined
  let drew = false

  const follow = (event: PointerEvent) => {
    const box = root.getBoundingClientRect()
    const point: [number, number] = [event.clientX - box.left, event.clientY - box.top]
    const under = options.nodeAt(...point)
    to = under === from ? -1 : under
    options.over(to)
    // It snaps to the node that it would lead to.
    const [x, y] = to >= 0 ? options.placeOf(to) : point
    const [startX, startY] = options.placeOf(from)
    setAll(line, { x1: startX, y1: startY, x2: x, y2: y })
    setAll(tip, { cx: x, cy: y, r: to >= 0 ? 12 : 4 })
  }
  const end = () => {
    pointer = undefined
    picture.remove()
    options.over(-1)
  }
  root.addEventListener(
    'pointerdown',
    (event) => {
      drew = false
      if (event.button !== 0 || !event.isPrimary) return
      from = options.begins(event)
      if (from < 0) return
      pointer = event.pointerId
      root.setPointerCapture(pointer)
      picture.style.color = getComputedStyle(root).getPropertyValue('--graph-selection')
      root.append(picture)
      follow(event)
    },
    { signal },
  )
  root.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId === pointer) follow(event)
    },
    { signal },
  )
  root.addEventListener(
    'pointerup',
    (event) => {
      if (event.pointerId !== pointer) return
      drew = true
      end()
      if (to >= 0) options.linked(from, to)
    },
    { signal },
  )
  // Its end is no click on what lies there.
  root.addEventListener(
    'click',
    (event) => {
      if (drew) event.stopImmediatePropagation()
      drew = false
    },
    { signal, capture: true },
  )
  root.addEventListener('pointercancel', end, { signal })
  return () => {
    listeners.abort()
    picture.remove()
  }
}

function setAll(element: SVGElement, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value))
}

function createPicture(line: SVGElement, tip: SVGElement): SVGElement {
  const picture = document.createElementNS(svgNamespace, 'svg')
  picture.setAttribute('aria-hidden', 'true')
  Object.assign(picture.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
  })
  for (const shape of [line, tip]) {
    shape.setAttribute('stroke', 'currentColor')
    shape.setAttribute('stroke-width', '2')
    shape.setAttribute('fill', 'none')
  }
  line.setAttribute('stroke-dasharray', '6 4')
  picture.append(line, tip)
  return picture
}
