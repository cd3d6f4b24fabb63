const longPressMs = 550
const slipMax = 10

/**
 * Requests a menu at a point of the surface on right click or long press. Returns a function that
 * detaches it.
 */
export function attachContextMenu(root: HTMLElement, open: (x: number, y: number) => void): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let press = 0
  let from = { x: 0, y: 0 }
  const at = (event: MouseEvent) => {
    const box = root.getBoundingClientRect()
    open(event.clientX - box.left, event.clientY - box.top)
  }
  root.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault()
      // On a Mac, a click with Control is a right click, but keeps the number of the main button. A menu key has no
      // pointer position; the keyboard module handles it.
      if (event.button === 2 || event.ctrlKey) at(event)
    },
    { signal },
  )
  root.addEventListener(
    'pointerdown',
    (event) => {
      clearTimeout(press)
      if (event.pointerType !== 'touch' || !event.isPrimary) return
      from = { x: event.clientX, y: event.clientY }
      press = window.setTimeout(() => at(event), longPressMs)
    },
    { signal },
  )
  root.addEventListener(
    'pointermove',
    (event) => {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > slipMax) clearTimeout(press)
    },
    { signal },
  )
  for (const name of ['pointerup', 'pointercancel'] as const) {
    root.addEventListener(name, () => clearTimeout(press), { signal })
  }
  return () => {
    clearTimeout(press)
    listeners.abort()
  }
}
