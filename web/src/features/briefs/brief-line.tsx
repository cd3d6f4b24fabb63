import type { BriefItem } from '@loci/contract/briefs'
import { observationContentMax } from '@loci/contract/observations'
import { Button, Kbd, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useUnsaved } from '../../lib/unsaved.ts'
import { diffWording } from '../../lib/wording-diff.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './brief.module.css'
import { kindWords } from './brief-groups.ts'

export type Deciding = {
  keep: () => void
  forget: () => void
  forgetEarlier: () => void
  restore: () => void
  correct: (content: string) => Promise<void>
}

type LineProps = {
  item: BriefItem
  isChosen: boolean
  isEditing: boolean
  mayWrite: boolean
  /** Whether its thing is named on the line. */
  isNamed: boolean
  onChoose: () => void
  onEdit: (isEditing: boolean) => void
  decide: Deciding
}

/** How far a finger has to move to keep or forget. */
const swipePx = 80

/** One thing that happened to a fact; the chosen line has the buttons. */
export function BriefLine({
  item,
  isChosen,
  isEditing,
  mayWrite,
  isNamed,
  onChoose,
  onEdit,
  decide,
}: LineProps) {
  const { kind, by, at, entity, rival, isRead } = item
  const { sign, label } = kindWords[kind]
  const startX = useRef<number>(undefined)
  const swipe = (end: number) => {
    const moved = end - (startX.current ?? end)
    startX.current = undefined
    if (!mayWrite || Math.abs(moved) < swipePx) return
    if (moved > 0) decide.keep()
    else if (kind !== 'forgotten') decide.forget()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: J and K do the same
    <li
      className={classes.line}
      data-seq={item.seq}
      data-kind={kind}
      data-read={isRead || undefined}
      data-chosen={isChosen || undefined}
      aria-current={isChosen || undefined}
      onClick={onChoose}
      onTouchStart={(event) => {
        startX.current = event.touches[0]?.clientX
      }}
      onTouchEnd={(event) => swipe(event.changedTouches[0]?.clientX ?? 0)}
    >
      <span className={classes.sign} role="img" aria-label={label}>
        {sign}
      </span>
      <div className={classes.text} dir="auto">
        <Said item={item} />
        {isNamed && (
          <>
            {' '}
            <span className={classes.dim}>on</span> <bdi className={classes.dim}>{entity.name}</bdi>
          </>
        )}
        {rival && (
          <p className={classes.dim}>
            Before: “<VisibleText text={plainText(rival.content)} />”
          </p>
        )}
      </div>
      <span>
        <WriterBadge by={by} compact />
      </span>
      <span className={classes.time}>
        <TimeText iso={at} />
      </span>
      {isEditing ? (
        <Correction item={item} onCancel={() => onEdit(false)} onSave={decide.correct} />
      ) : (
        isChosen && mayWrite && <Buttons item={item} decide={decide} onEdit={() => onEdit(true)} />
      )}
    </li>
  )
}

function Said({ item: { kind, content, before, observationId, entity } }: { item: BriefItem }) {
  const text = plainText(content)
  if (kind === 'forgotten')
    return (
      <del>
        <VisibleText text={observationId === undefined ? `All of ${text}` : text} />
      </del>
    )
  const shown =
    before === undefined ? [{ kind: 'same' as const, text }] : diffWording(plainText(before), text)
  return (
    <Link to="/entities/$entityId" params={{ entityId: entity.id }} className={classes.said}>
      {shown.map(({ kind: piece, text: part }, index) => {
        const key = `${index} ${piece}`
        const visible = <VisibleText key={key} text={part} />
        if (piece === 'removed') return <del key={key}>{visible}</del>
        return piece === 'added' ? <ins key={key}>{visible}</ins> : visible
      })}
    </Link>
  )
}

type ButtonsProps = { item: BriefItem; decide: Deciding; onEdit: () => void }

function Buttons({ item: { kind }, decide, onEdit }: ButtonsProps) {
  const isRival = kind === 'rival'
  if (kind === 'forgotten')
    return (
      <div className={classes.buttons}>
        <Choice label="Leave it so" press="A" onClick={decide.keep} />
        <Choice label="Restore" onClick={decide.restore} />
      </div>
    )
  return (
    <div className={classes.buttons}>
      <Choice label={isRival ? 'Keep both' : 'Keep'} press="A" onClick={decide.keep} />
      <Choice label="Correct" press="E" onClick={onEdit} />
      <Choice label={isRival ? 'Forget the new one' : 'Forget'} press="D" onClick={decide.forget} />
      {isRival && <Choice label="Forget the earlier one" onClick={decide.forgetEarlier} />}
      {isRival && <span className={classes.hint}>Both are told until you decide</span>}
    </div>
  )
}

const Choice = ({ label, press, onClick }: { label: string; press?: string; onClick: () => void }) => (
  <Button
    variant="default"
    size="xs"
    rightSection={
      press && (
        <Kbd size="xs" className={classes.key} aria-hidden>
          {press}
        </Kbd>
      )
    }
    onClick={(event) => {
      event.stopPropagation()
      onClick()
    }}
  >
    {label}
  </Button>
)

type CorrectionProps = { item: BriefItem; onCancel: () => void; onSave: (content: string) => Promise<void> }

function Correction({ item, onCancel, onSave }: CorrectionProps) {
  const [content, setContent] = useState(item.content)
  const [isSaving, setSaving] = useState(false)
  const isChanged = content.trim() !== '' && content !== item.content
  useUnsaved(isChanged, isSaving)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isChanged || isSaving) return
    setSaving(true)
    onSave(content.trim()).catch(() => setSaving(false))
  }
  return (
    <form className={classes.edit} onSubmit={submit}>
      <Textarea
        aria-label="The right wording"
        className={classes.field}
        autoFocus
        autosize
        minRows={1}
        maxRows={10}
        maxLength={observationContentMax}
        dir="auto"
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onCancel()
        }}
      />
      <Button size="xs" variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
      <Button size="xs" type="submit" disabled={!isChanged} loading={isSaving}>
        Correct
      </Button>
    </form>
  )
}
