import { type D3DragEvent, drag } from 'd3-drag'
import { select } from 'd3-selection'
import type { Camera } from './camera.ts'

export type PointerOptions = {
  camera: Camera
  /** The node at a point of the surface, or -1; `slack` in pixels. */
  nodeAt(x: number, y: number, slack: number): number
  placeOf(node: number): [x: number, y: number]
  hover(node: number): void
  click(node: number): void
  activate(node: number): void
  /** Double click on the background. */
  activateAt(x: number, y: number): void
  /** Whether a node can be dragged. */
  canMove(node: number): boolean
  moveNode(node: number, x: number, y: number): void
  dropNode(node: number): void
  /** Whether an event can start dragging a node. */
  accepts(event: MouseEvent | TouchEvent): boolean
}

type Subject = { node: number; x: number; y: number }
type Drag = D3DragEvent<HTMLElement, unknown, Subject>

const mouseSlack = 3
const fingerSlack = 12

/** Hover, click, double click, and dragging nodes. Returns a function that detaches them. */
export function attachPointer(root: HTMLElement, options: PointerOptions): () => void {
  let dragging = false
  let hovered = -1
  let slack = mouseSlack

  const setHovered = (node: number) => {
    root.style.cursor = node >= 0 ? 'pointer' : 'grab'
    if (node === hovered) return
    hovered = node
    options.hover(node)
  }
  const nodeUnder = (event: MouseEvent): number => {
    const box = root.getBoundingClientRect()
    return options.nodeAt(event.clientX - box.left, event.clientY - box.top, slack)
  }

  const behavior = drag<HTMLElement, unknown>()
    .container(root)
    .clickDistance(4)
    .filter((event) => options.accepts(event))
    .subject((event: Drag) => {
      const node = options.nodeAt(event.x, event.y, slack)
      if (node < 0 || !options.canMove(node)) return undefined
      const [x, y] = options.camera.toScreen(...options.placeOf(node))
      return { node, x, y }
    })
    .on('drag', (event: Drag) => {
      dragging = true
      root.style.cursor = 'grabbing'
      options.moveNode(event.subject.node, ...options.camera.toGraph(event.x, event.y))
    })
    .on('end', (event: Drag) => {
      if (dragging) options.dropNode(event.subject.node)
      dragging = false
      root.style.cursor = 'pointer'
    })
  const selection = select(root)
  selection.call(behavior as never)
  options.camera.attach()

  const listeners = new AbortController()
  const { signal } = listeners
  root.addEventListener(
    'pointerdown',
    (event) => {
      slack = event.pointerType === 'touch' ? fingerSlack : mouseSlack
    },
    { signal, capture: true },
  )
  root.addEventListener(
    'pointermove',
    (event) => {
      // A finger does not hover, and a pressed button means that something is being dragged.
      if (event.pointerType === 'touch' || event.buttons !== 0) return
      slack = mouseSlack
      setHovered(nodeUnder(event))
    },
    { signal },
  )
  root.addEventListener(
    'pointerleave',
    () => {
      if (!dragging) setHovered(-1)
    },
    { signal },
  )
  root.addEventListener('click', (event) => options.click(nodeUnder(event)), { signal })
  root.addEventListener(
    'dblclick',
    (event) => {
      const node = nodeUnder(event)
      const box = root.getBoundingClientRect()
      if (node >= 0) options.activate(node)
      else options.activateAt(event.clientX - box.left, event.clientY - box.top)
    },
    { signal },
  )

  return () => {
    listeners.abort()
    selection.on('.drag', null)
  }
}
