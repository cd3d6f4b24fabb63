import { useEffect, useRef } from 'react'

type Keys = {
  move: (by: number) => void
  /** The first cure. */
  accept: () => void
  edit: () => void
  forget: () => void
  undo: () => void
}

/** After `g` the next letter goes to a page. */
const sequenceMs = 1_500

/** The keys of lists to decide: J K A E D Z, while nobody types and no dialog is open. */
export function useHealthKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    let prefixUntil = 0
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null) return
      const afterPrefix = Date.now() < prefixUntil
      prefixUntil = event.key === 'g' ? Date.now() + sequenceMs : 0
      const run = afterPrefix ? undefined : toAction(event.key, latest.current)
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', act)
    return () => window.removeEventListener('keydown', act)
  }, [])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

function toAction(key: string, { move, accept, edit, forget, undo }: Keys): (() => void) | undefined {
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return () => move(1)
    case 'k':
    case 'ArrowUp':
      return () => move(-1)
    case 'a':
      return accept
    case 'e':
      return edit
    case 'd':
      return forget
    case 'z':
      return undo
    default:
      return undefined
  }
}
