import type { Range } from '@tanstack/react-virtual'
import { useSyncExternalStore } from 'react'

let isPrinting = false

function subscribe(listener: () => void): () => void {
  const begin = () => tell(true)
  const end = () => tell(false)
  const tell = (now: boolean) => {
    isPrinting = now
    listener()
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}

/** Whether the page is being printed. Paper does not scroll: a list that renders only a part must then render all. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting)
}

/** The rows of a list that are rendered on paper. */
export const everyRow = ({ count }: Range): number[] => Array.from({ length: count }, (_, row) => row)
