import { useEffect, useEffectEvent } from 'react'

const typedInto = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu]'

/** Whether a field, a menu or a dialog uses the key. */
export function isKeyTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal=true]')) return true
  return target instanceof Element && target.closest(typedInto) !== null
}

/** After `g`, a letter goes to a page. */
const prefixMs = 1_500

/**
 * The keys of a screen, by the value of `event.key`; letters are lower case, `Shift+a` is one with the shift key. They
 * come before the shortcuts of the shell, which listens further out. A handler that returns false leaves the key alone.
 */
export function useScreenKeys(keys: Record<string, () => unknown>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.defaultPrevented || isKeyTaken(event.target)) return
    const run = keys[nameOf(event)]
    if (run !== undefined && run() !== false) event.preventDefault()
  })
  useEffect(() => {
    let prefixUntil = 0
    const listen = (event: KeyboardEvent) => {
      const isAfterPrefix = performance.now() < prefixUntil
      prefixUntil = event.key === 'g' && !isAfterPrefix ? performance.now() + prefixMs : 0
      if (!isAfterPrefix) press(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

const nameOf = ({ key, shiftKey }: KeyboardEvent): string =>
  /^\p{L}$/u.test(key) ? `${shiftKey ? 'Shift+' : ''}${key.toLowerCase()}` : key
