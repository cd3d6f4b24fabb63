import type { GraphTheme } from '../types.ts'

/** The elements of a view, and their size in CSS and device pixels. */
export type Surface = {
  /** Receives focus, keyboard and pointer events. */
  root: HTMLElement
  base: HTMLCanvasElement
  overlay: HTMLCanvasElement
  say(text: string): void
  describe(nodeCount: number, relationCount: number): void
  /** The longer description, read after the label. */
  explain(text: string): void
  destroy(): void
}

export type SurfaceSize = { width: number; height: number; pixelRatio: number }

let surfaces = 0

export function createSurface(container: HTMLElement): Surface {
  const root = document.createElement('div')
  root.tabIndex = 0
  root.setAttribute('role', 'application')
  root.setAttribute('aria-roledescription', 'knowledge graph')
  // Set one by one: a strict Content-Security-Policy forbids the style attribute but not the property.
  Object.assign(root.style, {
    position: 'relative',
    width: '100%',
    height: '100%',
    overflow: 'hidden',
    touchAction: 'none',
    userSelect: 'none',
    outline: 'none',
    cursor: 'grab',
  })
  root.style.setProperty('-webkit-tap-highlight-color', 'transparent')
  const base = createCanvas()
  const overlay = createCanvas()
  const ring = createFocusRing()
  const live = createHidden()
  live.setAttribute('aria-live', 'polite')
  const explanation = createHidden()
  explanation.id = `graph-explanation-${++surfaces}`
  root.setAttribute('aria-describedby', explanation.id)
  root.append(base, overlay, ring)
  container.append(root, live, explanation)
  root.addEventListener('focus', () => {
    ring.style.opacity = root.matches(':focus-visible') ? '1' : '0'
  })
  root.addEventListener('keydown', () => {
    ring.style.opacity = '1'
  })
  root.addEventListener('blur', () => {
    ring.style.opacity = '0'
  })
  return {
    root,
    base,
    overlay,
    say(text) {
      live.textContent = text
    },
    describe(nodeCount, relationCount) {
      const entities = counted(nodeCount, 'entity', 'entities')
      const relations = counted(relationCount, 'relation', 'relations')
      root.setAttribute('aria-label', `Graph with ${entities} and ${relations}`)
    },
    explain(text) {
      explanation.textContent = text
    },
    destroy() {
      root.remove()
      live.remove()
      explanation.remove()
    },
  }
}

/** Applies the theme colours that the page itself draws. */
export function paintSurface({ root }: Surface, { background, selection }: GraphTheme): void {
  root.style.background = background
  root.style.setProperty('--graph-selection', selection)
}

/** With `scroll`, one finger can scroll the page, but two fingers cannot zoom it. */
export function setTouchAction({ root }: Surface, touch: 'pan' | 'scroll'): void {
  root.style.touchAction = touch === 'pan' ? 'none' : 'pan-x pan-y'
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function createCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  Object.assign(canvas.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    opacity: '0',
    pointerEvents: 'none',
  })
  return canvas
}

function createFocusRing(): HTMLElement {
  const ring = document.createElement('div')
  Object.assign(ring.style, {
    position: 'absolute',
    inset: '2px',
    border: '2px solid var(--graph-selection)',
    borderRadius: '6px',
    pointerEvents: 'none',
    opacity: '0',
  })
  return ring
}

/** An element that is read and not seen. */
function createHidden(): HTMLElement {
  const hidden = document.createElement('div')
  Object.assign(hidden.style, {
    position: 'absolute',
    width: '1px',
    height: '1px',
    margin: '-1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  })
  return hidden
}

/**
 * Reports the size immediately and whenever it or the device's pixel ratio changes; call the returned
 * function to stop.
 */
export function watchSize(element: HTMLElement, report: (size: SurfaceSize) => void): () => void {
  let last = ''
  const measure = () => {
    const { width, height } = element.getBoundingClientRect()
    const size = { width: Math.max(1, width), height: Math.max(1, height), pixelRatio: devicePixelRatio || 1 }
    const key = `${size.width} ${size.height} ${size.pixelRatio}`
    if (key === last) return
    last = key
    report(size)
  }
  const observer = new ResizeObserver(measure)
  try {
    observer.observe(element, { box: 'device-pixel-content-box' })
  } catch {
    // Safari supports only CSS pixels; the media query below detects a change of screen.
    observer.observe(element)
  }
  let media: MediaQueryList | undefined
  const ratioChanged = () => {
    measure()
    media?.removeEventListener('change', ratioChanged)
    media = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    media.addEventListener('change', ratioChanged)
  }
  ratioChanged()
  return () => {
    observer.disconnect()
    media?.removeEventListener('change', ratioChanged)
  }
}
