import { type HealthItem, type HealthKind, healthKinds, type MemoryHealth } from '@loci/contract/health'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useMay, useMayWrite } from '../../lib/rights.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type CureAction, curesOf } from './cures.ts'
import { type Mended, useCure, useUncure } from './health.queries.ts'
import classes from './health-list.module.css'
import { HealthRow, MendedRow } from './health-row.tsx'
import { healthWords } from './health-words.ts'
import { useHealthKeys } from './use-health-keys.ts'

type Done = { action: CureAction; mended: Mended }
type HealthListProps = {
  items: readonly HealthItem[]
  counts: MemoryHealth['counts']
  /** Shows one kind only. */
  onChoose: (kind: HealthKind) => void
  isOneKind: boolean
}

const shownPerKind = 5

/** Items in sections by kind, each cured where it stands. */
export function HealthList({ items, counts, onChoose, isOneKind }: HealthListProps) {
  const mayWrite = useMayWrite()
  const mayReview = useMay('memory:review')
  const shown = useMemo(() => sectionsOf(items, isOneKind), [items, isOneKind])
  const rows = shown.flatMap((section) => section.items)
  const [focused, setFocused] = useState<string>()
  const [editing, setEditing] = useState<string>()
  const [asked, setAsked] = useState<HealthItem>()
  const [done, setDone] = useState<ReadonlyMap<string, Done>>(new Map())
  const last = useRef<HealthItem[]>([])
  const list = useRef<HTMLDivElement>(null)
  const cure = useCure()
  const uncure = useUncure()
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === focused),
  )
  const current = rows[at]
  const may = (action: CureAction) => mayWrite && (action !== 'erase' || mayReview)

  const take = (item: HealthItem, action: CureAction, content?: string) => {
    if (cure.isPending || !may(action)) return
    if (action === 'edit' && content === undefined) return setEditing(item.id)
    if (action === 'erase' && asked === undefined) return setAsked(item)
    cure.mutate(
      { item, action, ...(content !== undefined && { content }) },
      {
        onSuccess: (mended) => {
          setDone((before) => new Map(before).set(item.id, { action, mended }))
          last.current.push(item)
          setEditing(undefined)
          setFocused(nextOf(rows, item, done))
        },
        onSettled: () => setAsked(undefined),
      },
    )
  }
  const undo = (item: HealthItem | undefined) => {
    const found = item && done.get(item.id)
    if (item === undefined || found === undefined || uncure.isPending || !canUndo(found)) return
    const onSuccess = () => {
      setDone((before) => new Map([...before].filter(([id]) => id !== item.id)))
      last.current = last.current.filter(({ id }) => id !== item.id)
      setFocused(item.id)
    }
    uncure.mutate({ item, mended: found.mended }, { onSuccess })
  }
  const takeIfOffered = (wanted: CureAction | undefined) => {
    if (current === undefined || done.has(current.id)) return
    const offered = curesOf(current).filter(({ action }) => may(action))
    const chosen = wanted === undefined ? offered[0] : offered.find(({ action }) => action === wanted)
    if (chosen !== undefined && (wanted !== undefined || chosen.action !== 'leave'))
      take(current, chosen.action)
  }

  useHealthKeys({
    move: (by) => setFocused(rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.id),
    accept: () => takeIfOffered(undefined),
    edit: () => takeIfOffered('edit'),
    forget: () => takeIfOffered('forget'),
    undo: () => undo(last.current.findLast(({ id }) => done.has(id) && canUndo(done.get(id)!))),
  })
  useEffect(() => {
    if (focused === undefined || editing !== undefined) return
    list.current?.querySelector<HTMLElement>(`[data-item="${focused}"]`)?.focus()
  }, [focused, editing])

  return (
    <div ref={list} className={classes.list}>
      {shown.map(({ kind, items: own }) => (
        <section key={kind} aria-labelledby={`health-${kind}`}>
          <header className={classes.head}>
            <h2 id={`health-${kind}`} className={classes.title}>
              {healthWords[kind].title}
            </h2>
            <span className={classes.count}>{formatNumber(counts[kind] ?? 0)}</span>
            <span className={classes.about}>{healthWords[kind].about}</span>
            <span className={classes.line} aria-hidden />
            {!isOneKind && (counts[kind] ?? 0) > own.length && (
              <button type="button" className={classes.all} onClick={() => onChoose(kind)}>
                Show all {formatNumber(counts[kind] ?? 0)}
              </button>
            )}
          </header>
          <ul className={classes.rows}>
            {own.map((item) => {
              const found = done.get(item.id)
              const isFocused = item.id === current?.id
              return found === undefined ? (
                <HealthRow
                  key={item.id}
                  item={item}
                  isFocused={isFocused}
                  isBusy={cure.isPending}
                  isEditing={editing === item.id}
                  may={may}
                  onFocus={() => setFocused(item.id)}
                  onCure={(action, content) => take(item, action, content)}
                  onEditEnd={() => setEditing(undefined)}
                />
              ) : (
                <MendedRow
                  key={item.id}
                  item={item}
                  action={found.action}
                  isFocused={isFocused}
                  onUndo={canUndo(found) ? () => undo(item) : undefined}
                />
              )
            })}
          </ul>
        </section>
      ))}
      <ConfirmDialog
        opened={asked !== undefined}
        title="Remove this secret?"
        confirmLabel="Remove it"
        pending={cure.isPending}
        onConfirm={() => asked && take(asked, 'erase')}
        onClose={() => setAsked(undefined)}
      >
        It is taken out of the fact, its history, search and stored answers, and cannot be brought back. The
        rest of the text stays. Whoever has read it knows it, so change the secret itself, too.
      </ConfirmDialog>
    </div>
  )
}

const canUndo = ({ mended }: Done) => mended.isLeft || mended.sets.length > 0

function sectionsOf(items: readonly HealthItem[], isOneKind: boolean) {
  return healthKinds.flatMap((kind) => {
    const own = items.filter((item) => item.kind === kind)
    return own.length === 0 ? [] : [{ kind, items: isOneKind ? own : own.slice(0, shownPerKind) }]
  })
}

/** The item after a mended one that is still to be decided, else the mended one. */
function nextOf(rows: readonly HealthItem[], { id }: HealthItem, done: ReadonlyMap<string, Done>): string {
  const from = rows.findIndex((row) => row.id === id)
  const after = [...rows.slice(from + 1), ...rows.slice(0, from)]
  return after.find((row) => !done.has(row.id))?.id ?? id
}
