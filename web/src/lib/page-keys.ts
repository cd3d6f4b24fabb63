import { useEffect, useRef } from 'react'

/** After `g`, the next key goes to a page. */
const sequenceMs = 1_500
const typedInto = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu]'

/** Whether a field, a menu or a dialog uses the keys. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal=true]')) return true
  return target instanceof Element && target.closest(typedInto) !== null
}

/**
 * Keys of one page: `a`, `ArrowDown`, `Shift A`. Inactive while the user types or a dialog is open. An action that
 * returns false leaves the key to others.
 */
export function usePageKeys(actions: Record<string, () => unknown>): void {
  const current = useRef(actions)
  current.current = actions
  useEffect(() => {
    let prefixUntil = 0
    const listen = (event: KeyboardEvent) => {
      const isAfterPrefix = performance.now() < prefixUntil
      prefixUntil = event.key === 'g' ? performance.now() + sequenceMs : 0
      if (event.defaultPrevented || event.isComposing || isAfterPrefix) return
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return
      const name = event.shiftKey && event.key.length === 1 ? `Shift ${event.key.toUpperCase()}` : event.key
      const action = current.current[name] ?? current.current[event.key.toLowerCase()]
      if (action === undefined || (event.shiftKey && current.current[name] === undefined)) return
      if (action() !== false) event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
