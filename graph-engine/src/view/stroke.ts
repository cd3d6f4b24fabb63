const svgNamespace = 'http://www.w3.org/2000/svg'

export type StrokeOptions = {
  /** The shapes that show it while it is drawn. */
  shapes: readonly SVGElement[]
  /** Whether this press begins one. */
  begins(event: PointerEvent): boolean
  follows(event: PointerEvent): void
  /** Returns whether something was drawn, so that its end is no click on what lies there. */
  ends(): boolean
  /** It has ended, or was given up. */
  gone?(): void
}

export const createShape = (name: 'line' | 'circle' | 'polygon'): SVGElement =>
  document.createElementNS(svgNamespace, name)

/** Draws with the main button of the pointer, in the colour of the selection. Returns a function that detaches it. */
export function attachStroke(root: HTMLElement, options: StrokeOptions): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  const picture = createPicture(options.shapes)
  let pointer: number | undefined
  let drew = false

  const end = () => {
    pointer = undefined
    picture.remove()
    options.gone?.()
  }
  root.addEventListener(
    'pointerdown',
    (event) => {
      drew = false
      if (event.button !== 0 || !event.isPrimary || !options.begins(event)) return
      pointer = event.pointerId
      root.setPointerCapture(pointer)
      picture.style.color = getComputedStyle(root).getPropertyValue('--graph-selection')
      root.append(picture)
      options.follows(event)
    },
    { signal },
  )
  root.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId === pointer) options.follows(event)
    },
    { signal },
  )
  root.addEventListener(
    'pointerup',
    (event) => {
      if (event.pointerId !== pointer) return
      end()
      drew = options.ends()
    },
    { signal },
  )
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

function createPicture(shapes: readonly SVGElement[]): SVGElement {
  const picture = document.createElementNS(svgNamespace, 'svg')
  picture.setAttribute('aria-hidden', 'true')
  Object.assign(picture.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
  })
  for (const shape of shapes) shape.setAttribute('stroke', 'currentColor')
  picture.append(...shapes)
  return picture
}

/** Where an event is, in pixels of the surface. */
export function pointOf(root: HTMLElement, event: PointerEvent): [x: number, y: number] {
  const box = root.getBoundingClientRect()
  return [event.clientX - box.left, event.clientY - box.top]
}

export function setAll(element: SVGElement, values: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value))
}
