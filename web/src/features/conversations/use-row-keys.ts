import { useScreenKeys } from '../../lib/screen-keys.ts'

/** J and K, and the arrows, move the focus from row to row; Enter follows the link that has it. */
export function useRowKeys(conversations: readonly { id: string }[], scrollTo: (id: string) => void): void {
  function move(step: number): boolean {
    const current = document.activeElement?.getAttribute('data-conversation')
    const at = conversations.findIndex(({ id }) => id === current)
    const next = conversations[at === -1 ? 0 : at + step]
    if (next === undefined) return false
    scrollTo(next.id)
    focusRow(next.id)
    return true
  }
  useScreenKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => isInList() && move(1),
    ArrowUp: () => isInList() && move(-1),
  })
}

const isInList = () => document.activeElement?.hasAttribute('data-conversation') === true

/** A row that was far from the window is rendered after it has scrolled there. */
function focusRow(id: string, attempts = 5): void {
  const row = document.querySelector<HTMLElement>(`[data-conversation="${CSS.escape(id)}"]`)
  if (row) row.focus({ preventScroll: true })
  else if (attempts > 0) requestAnimationFrame(() => focusRow(id, attempts - 1))
}
