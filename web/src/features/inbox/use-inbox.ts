import { useEffect, useMemo, useState } from 'react'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { type Edited, factsOf, groupProposals, type Item, unclearWordOf } from './inbox.rules.ts'
import type { Decisions } from './use-decisions.ts'

/** What waits, which one has the focus, which are selected, and the keys that act on them. */
export function useInbox(
  proposals: readonly Item[],
  decisions: Decisions,
  mayDecide: (item: Item) => boolean,
) {
  const { gone } = decisions
  const groups = useMemo(() => groupProposals(proposals.filter(({ id }) => !gone.has(id))), [proposals, gone])
  const ordered = useMemo(() => groups.flatMap((group) => group.proposals), [groups])
  const [focusId, setFocusId] = useState<string>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [lastSelected, setLastSelected] = useState<string>()
  const [isEdited, setEdited] = useState(false)
  const found = ordered.findIndex(({ id }) => id === focusId)
  const [lastAt, setLastAt] = useState(0)
  // Somebody else may have decided on the one in focus: its place keeps the focus.
  const at = found === -1 ? Math.min(lastAt, Math.max(0, ordered.length - 1)) : found
  const focused = ordered[at]
  // What arrives above must not take the focus while a key is on its way.
  useEffect(() => {
    setLastAt(at)
    if (focused === undefined || focused.id === focusId) return
    setFocusId(focused.id)
    setEdited(false)
  }, [focused, focusId, at])
  const chosen = ordered.filter(({ id }) => selected.has(id))

  function focus(proposal: Item | undefined): boolean {
    if (proposal === undefined) return false
    if (proposal.id !== focused?.id) setEdited(false)
    setFocusId(proposal.id)
    requestAnimationFrame(() => {
      const row = document.querySelector<HTMLElement>(`[data-proposal="${CSS.escape(proposal.id)}"]`)
      if (!row?.contains(document.activeElement)) row?.focus({ preventScroll: true })
      row?.scrollIntoView({ block: 'nearest' })
    })
    return true
  }

  /** The next one that stays, or the one before. */
  function moveOn(decided: readonly Item[]): void {
    const stays = (proposal: Item) => !decided.includes(proposal)
    setEdited(false)
    setSelected(new Set())
    focus(ordered.slice(at).find(stays) ?? ordered.slice(0, at).findLast(stays))
  }

  /** What does not stand alone is put into other words first; words that could not be sent are shown again. */
  function accept(proposal: Item, edited?: Edited): void {
    const isOpenFirst = unclearWordOf(proposal) !== undefined || decisions.typedOf(proposal) !== undefined
    if (edited === undefined && isOpenFirst) {
      focus(proposal)
      setEdited(true)
    } else {
      decisions.acceptOne(proposal, edited)
      moveOn([proposal])
    }
  }

  function acceptMany(many: readonly Item[]): void {
    if (many.length === 0) return
    decisions.acceptMany(many)
    moveOn(many)
  }

  function reject(many: readonly Item[]): void {
    if (many.length === 0) return
    decisions.reject(many)
    moveOn(many)
  }

  function select(proposal: Item, isRange = false): void {
    const from = ordered.findIndex(({ id }) => id === lastSelected)
    const to = ordered.indexOf(proposal)
    const range =
      isRange && from !== -1 ? ordered.slice(Math.min(from, to), Math.max(from, to) + 1) : [proposal]
    const isRemoving = !isRange && selected.has(proposal.id)
    setLastSelected(proposal.id)
    setSelected((was) =>
      isRemoving
        ? new Set([...was].filter((id) => id !== proposal.id))
        : new Set([...was, ...range.map(({ id }) => id)]),
    )
  }

  const step = (by: number) => focus(ordered[at + by])
  const decide = (act: (proposal: Item) => unknown) => () =>
    focused && mayDecide(focused) ? act(focused) : false
  useScreenKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    a: decide((proposal) => accept(proposal)),
    r: decide((proposal) => reject([proposal])),
    e: decide((proposal) => factsOf(proposal).length > 0 && setEdited(true)),
    x: decide((proposal) => select(proposal)),
    'Shift+j': decide((proposal) => {
      if (!selected.has(proposal.id)) select(proposal)
      step(1)
    }),
    'Shift+a': decide(() => acceptMany(chosen)),
    'Shift+r': decide(() => reject(chosen)),
    o: () => openSource(focused),
    z: () => decisions.undoLast(),
    Escape: () => selected.size > 0 && setSelected(new Set()),
  })

  return {
    groups,
    ordered,
    focused,
    chosen,
    isEdited,
    setEdited,
    focus,
    select,
    accept,
    acceptMany,
    reject,
    mayDecide,
    clearSelection: () => setSelected(new Set()),
  }
}

function openSource(proposal: Item | undefined): boolean {
  const row = proposal && document.querySelector(`[data-proposal="${CSS.escape(proposal.id)}"]`)
  const link = row?.querySelector<HTMLElement>('[data-open]')
  link?.click()
  return link != null
}

export type Inbox = ReturnType<typeof useInbox>
