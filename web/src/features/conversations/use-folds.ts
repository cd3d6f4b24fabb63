import { useState } from 'react'
import type { Block } from './conversations.rules.ts'

/** Which tools are unfolded. Those that a link leads to are at first. */
export function useFolds(blocks: readonly Block[], around: string | undefined) {
  const folds = blocks.filter((block) => block.kind === 'tools')
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(folds.filter(({ turns }) => turns.some(({ id }) => id === around)).map(({ id }) => id)),
  )
  const isAllOpen = folds.length > 0 && folds.every(({ id }) => open.has(id))
  return {
    count: folds.length,
    isAllOpen,
    isOpen: (id: string) => open.has(id),
    open: (id: string) => setOpen((was) => (was.has(id) ? was : new Set([...was, id]))),
    toggle: (id: string) => setOpen((was) => (was.has(id) ? without(was, id) : new Set([...was, id]))),
    toggleAll: () => setOpen(isAllOpen ? new Set() : new Set(folds.map(({ id }) => id))),
  }
}

const without = (ids: ReadonlySet<string>, gone: string) => new Set([...ids].filter((id) => id !== gone))
