import type { HealthItem, HealthSubject } from '@loci/contract/health'
import { Button, Textarea } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDay } from '../../lib/format.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { type CureAction, curesOf, mendedWords } from './cures.ts'
import classes from './health-row.module.css'

/** Longer texts came shortened, so they are corrected on the page of their entity. */
const editableMax = 499

type HealthRowProps = {
  item: HealthItem
  isFocused: boolean
  isBusy: boolean
  isEditing: boolean
  /** Actions that this person may take. */
  may: (action: CureAction) => boolean
  onFocus: () => void
  onCure: (action: CureAction, content?: string) => void
  onEditEnd: () => void
}

/** An item: the fact, why it is here, and what would mend it. */
export function HealthRow({ item, isFocused, isBusy, isEditing, may, ...on }: HealthRowProps) {
  const cures = curesOf(item).filter(({ action }) => may(action) && (action !== 'edit' || isEditable(item)))
  return (
    <li
      className={classes.row}
      data-focused={isFocused || undefined}
      data-item={item.id}
      tabIndex={isFocused ? 0 : -1}
      aria-current={isFocused || undefined}
      onFocus={on.onFocus}
    >
      <div className={classes.facts}>
        {item.subjects.map((subject, i) => (
          <Subject
            key={subject.observation?.id ?? subject.entity.id}
            subject={subject}
            isSame={i > 0 && item.subjects[i - 1]!.entity.id === subject.entity.id}
            isDated={item.subjects.length > 1}
            isTold={!saysSame(subject, item.subjects[i + 1])}
          />
        ))}
        {item.cure.action === 'reword' && item.cure.content !== undefined && !isEditing && (
          <p className={classes.proposed} dir="auto">
            {item.cure.content}
          </p>
        )}
        {isEditing && <Editor item={item} isBusy={isBusy} onCure={on.onCure} onEnd={on.onEditEnd} />}
      </div>
      <p className={classes.why}>{item.evidence}</p>
      <div className={classes.cures}>
        {item.cure.action === 'relate' && item.subjects[0]!.entity.id !== undefined && (
          <OpenLink id={item.subjects[0]!.entity.id} />
        )}
        {!isEditing &&
          cures.map(({ action, label }, i) => (
            <Button
              key={action}
              size="xs"
              variant={i === 0 && isFocused ? 'filled' : 'default'}
              disabled={isBusy}
              aria-keyshortcuts={i === 0 ? 'a' : undefined}
              onClick={() => on.onCure(action)}
            >
              {label}
            </Button>
          ))}
      </div>
    </li>
  )
}

/** Whether the next entity has the same text, which is then shown once, below both names. */
const saysSame = (one: HealthSubject, next: HealthSubject | undefined) =>
  next !== undefined &&
  next.entity.id !== one.entity.id &&
  next.observation?.content === one.observation?.content

const isEditable = ({ subjects }: HealthItem) =>
  (subjects[0]?.observation?.content.length ?? 0) <= editableMax

const OpenLink = ({ id }: { id: string }) => (
  <Button
    size="xs"
    variant="default"
    renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId: id }} />}
  >
    Open to relate
  </Button>
)

function Subject({
  subject: { entity, observation },
  isSame,
  isDated,
  isTold,
}: {
  subject: HealthSubject
  isSame: boolean
  isDated: boolean
  isTold: boolean
}) {
  const day = observation?.at ?? (observation?.createdAt && formatDay(observation.createdAt))
  return (
    <>
      {!isSame && (
        <p className={classes.entity}>
          <TypeDot type={entity.type} />
          {entity.id === undefined ? (
            <bdi>{entity.name}</bdi>
          ) : (
            <Link to="/entities/$entityId" params={{ entityId: entity.id }} dir="auto">
              {entity.name}
            </Link>
          )}
        </p>
      )}
      {observation !== undefined && isTold && (
        <p className={classes.fact} dir="auto">
          {isDated && day && <span className={classes.day}>{day}</span>}
          {hidden(observation.content)}
        </p>
      )}
    </>
  )
}

/** Hidden secrets stand out. */
const hidden = (content: string) =>
  content.split(/(\[redacted: [\w-]+\])/).map((part, i) =>
    part.startsWith('[redacted: ') ? (
      <mark key={i} className={classes.hidden}>
        hidden: {part.slice(11, -1)}
      </mark>
    ) : (
      part
    ),
  )

type EditorProps = {
  item: HealthItem
  isBusy: boolean
  onCure: (action: CureAction, content: string) => void
  onEnd: () => void
}

function Editor({ item, isBusy, onCure, onEnd }: EditorProps) {
  const before = item.subjects[0]?.observation?.content ?? ''
  const [text, setText] = useState(item.cure.content ?? before)
  const isReady = text.trim() !== '' && text !== before
  const save = () => isReady && onCure('edit', text)
  return (
    <form
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Textarea
        aria-label="New wording"
        autosize
        data-autofocus
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEnd()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={onEnd}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={isBusy} disabled={!isReady}>
          Save
        </Button>
      </div>
    </form>
  )
}

type MendedRowProps = {
  item: HealthItem
  action: CureAction
  isFocused: boolean
  /** Absent for what cannot be undone. */
  onUndo?: (() => void) | undefined
}

/** What is mended, in one grey line. */
export function MendedRow({ item, action, isFocused, onUndo }: MendedRowProps) {
  return (
    <li
      className={classes.mended}
      data-item={item.id}
      data-focused={isFocused || undefined}
      tabIndex={isFocused ? 0 : -1}
    >
      <IconCheck size={16} aria-hidden />
      <span dir="auto">{mendedWords(item, action)}</span>
      {onUndo && (
        <Button size="compact-xs" variant="subtle" aria-keyshortcuts="z" onClick={onUndo}>
          Undo
        </Button>
      )}
    </li>
  )
}
