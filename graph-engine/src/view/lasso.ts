const stepMin = 4
const svgNamespace = 'http://www.w3.org/2000/svg'

export type LassoOptions = {
  /** Whether this press starts a lasso. */
  begins(event: PointerEvent): boolean
  /** A closed line in pixels of the surface: x0, y0, x1, y1, ... */
  drawn(line: readonly number[]): void
}

/** Draws a line that follows the pointer. Returns a function that detaches it. */
export function attachLasso(root: HTMLElement, options: LassoOptions): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  const shape = document.createElementNS(svgNamespace, 'polygon')
  const picture = createPicture(shape)
  let line: number[] = []
  let pointer: number | undefined
  let drew = false

  const add = (event: PointerEvent) => {
    const box = root.getBoundingClientRect()
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    if (line.length > 0 && Math.hypot(x - line.at(-2)!, y - line.at(-1)!) < stepMin) return
    line.push(x, y)
    shape.setAttribute('points', line.join(' '))
  }
  const end = () => {
    pointer = undefined
    picture.remove()
  }
  root.addEventListener(
    'pointerdown',
    (event) => {
      drew = false
      if (event.button !== 0 || !event.isPrimary || !options.begins(event)) return
      pointer = event.pointerId
      root.setPointerCapture(pointer)
      line = []
      add(event)
      shape.setAttribute('stroke', getComputedStyle(root).getPropertyValue('--graph-selection'))
      shape.setAttribute('fill', shape.getAttribute('stroke')!)
      root.append(picture)
    },
    { signal },
  )
  root.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId === pointer) add(event)
    },
    { signal },
  )
  root.addEventListener(
    'pointerup',
    (event) => {
      if (event.pointerId !== pointer) return
      end()
      drew = line.length >= 6
      if (drew) options.drawn(line)
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

function createPicture(shape: SVGElement): SVGElement {
  const picture = document.createElementNS(svgNamespace, 'svg')
  picture.setAttribute('aria-hidden', 'true')
  Object.assign(picture.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
  })
  shape.setAttribute('fill-opacity', '0.08')
  shape.setAttribute('stroke-width', '1.5')
  shape.setAttribute('stroke-dasharray', '5 4')
  picture.append(shape)
  return picture
}
