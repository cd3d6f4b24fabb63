import type { Direction } from '../model/direction.ts'

export type KeyboardOptions = {
  move(direction: Direction): void
  enter(): void
  /** False if there was nothing to clear, so that Escape can close a dialog around the graph. */
  clear(): boolean
  zoomBy(factor: number): void
  reset(): void
  menu(): void
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const zoomStep = 1.3

/**
 * Arrows move the selection, Enter activates, Escape clears, + - 0 zoom, the menu key opens the menu.
 * Returns a function that detaches it.
 */
export function attachKeyboard(root: HTMLElement, options: KeyboardOptions): () => void {
  const act = (key: string): boolean => {
    const direction = directions[key]
    if (direction) options.move(direction)
    else if (key === 'Enter') options.enter()
    else if (key === 'Escape') return options.clear()
    else if (key === '+' || key === '=') options.zoomBy(zoomStep)
    else if (key === '-') options.zoomBy(1 / zoomStep)
    else if (key === '0') options.reset()
    else if (key === 'ContextMenu') options.menu()
    else return false
    return true
  }
  const listen = (event: KeyboardEvent) => {
    if (event.target !== root || event.ctrlKey || event.metaKey || event.altKey) return
    if (act(event.shiftKey && event.key === 'F10' ? 'ContextMenu' : event.key)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  root.addEventListener('keydown', listen)
  return () => root.removeEventListener('keydown', listen)
}
