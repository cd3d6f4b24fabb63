import { type Observation, observationContentMax } from '@loci/contract/observations'
import { Alert, Button, Kbd, Textarea } from '@mantine/core'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { formatFactTime } from '../../lib/fact-time.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ChangeChoice } from './change-choice.tsx'
import { ChangeEvidence } from './change-evidence.tsx'
import { type Day, type Draft, type Meaning, toFactTime } from './draft.rules.ts'
import classes from './observation-panel.module.css'
import { useAddObservation, useReplaceObservation, useUpdateObservation } from './observations.queries.ts'

type EditorProps = {
  entityId: string
  /** The observation when editing began. */
  observation: Observation
  /** The current observation; undefined if it was deleted elsewhere. */
  current: Observation | undefined
  /** Further facts that the new wording replaces. */
  also?: readonly string[]
  /** Told what would be stored now. */
  onDraft?: (draft: Draft | undefined) => void
  onClose: () => void
}

const none: readonly string[] = []

/** Edits an observation in place. Discards typed text only after confirmation. */
export function ObservationEditor({
  entityId,
  observation,
  current,
  also = none,
  onDraft,
  onClose,
}: EditorProps) {
  const [content, setContent] = useState(observation.content)
  const [isLeaving, setLeaving] = useState(false)
  const [chosen, setChosen] = useState<Meaning>()
  const [began, setBegan] = useState<Day>({ day: today(), precision: 'day' })
  const [ended, setEnded] = useState<Day>()
  const [evidence, setEvidence] = useState(() => evidenceOf(observation))
  const replace = useReplaceObservation(entityId)
  const update = useUpdateObservation(entityId)
  const add = useAddObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  const isReworded = content !== observation.content
  const isChanged =
    isReworded || evidence.files !== observation.files || evidence.source !== observation.source
  const isGone = current === undefined || isApiError(update.error, 'observation_not_found')
  const pending = update.isPending || add.isPending || replace.isPending
  // What was replaced already can only be corrected.
  const isPast = observation.replacedBy !== undefined
  const meaning = isPast ? 'slip' : chosen
  const isAsked = isReworded && !isGone
  const isUndecided = isAsked && (meaning === undefined || (meaning === 'replaced' && began.day === ''))
  // Where the old fact was from says nothing about the new one.
  const { files } = evidence
  const source =
    meaning === 'replaced' && evidence.source === observation.source ? undefined : evidence.source
  const draft = useMemo<Draft | undefined>(
    () =>
      isAsked
        ? { content, meaning, at: toFactTime(began), until: ended && toFactTime(ended), files, source }
        : undefined,
    [isAsked, content, meaning, began, ended, files, source],
  )
  useEffect(() => onDraft?.(draft), [onDraft, draft])
  useUnsaved(isChanged, pending)
  const error = isGone ? add.error : (replace.error ?? update.error)

  const done = (message: string) => ({
    onSuccess: ({ setId }: { setId: string | undefined }) => {
      notifyUndoable(message, setId)
      onClose()
    },
  })
  function save() {
    if (content.trim() === '' || pending || isUndecided) return
    if (isGone) add.mutate(content, done('Observation added'))
    else if (draft?.meaning === 'replaced') {
      const { meaning: _, ...fact } = draft
      replace.mutate({ ...fact, replaces: [observation.id, ...also] }, done('Observation replaced'))
    } else if (isChanged)
      update.mutate({ id: observation.id, content, ...changed() }, done('Observation updated'))
    else onClose()
  }
  /** What it rests on, if that was changed; null removes it. */
  function changed() {
    return {
      ...(files !== observation.files && { files: files ?? [] }),
      ...(evidence.source !== observation.source && { source: evidence.source ?? null }),
    }
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
    if (isAsked && event.altKey && meanings[event.code] !== undefined) {
      event.preventDefault()
      setChosen(meanings[event.code])
      // The field that had the focus may be hidden now.
      event.currentTarget.querySelector('textarea')?.focus()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (isChanged) setLeaving(true)
    else onClose()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and its buttons
    <div className={classes.editor} onKeyDown={onKeyDown}>
      <Textarea
        aria-label="Observation text"
        dir="auto"
        autosize
        autoFocus
        minRows={1}
        maxRows={20}
        maxLength={observationContentMax}
        value={content}
        classNames={{ input: classes.editing }}
        error={error && messageOf(error, 'Failed to save observation')}
        onFocus={({ currentTarget: field }) =>
          field.setSelectionRange(field.value.length, field.value.length)
        }
        onChange={(event) => {
          setContent(event.currentTarget.value)
          setLeaving(false)
        }}
      />
      <Elsewhere isGone={isGone} observation={observation} current={current} />
      {isAsked && !isPast && (
        <ChangeChoice
          meaning={meaning}
          began={began}
          ended={ended}
          onMeaning={setChosen}
          onBegan={setBegan}
          onEnded={setEnded}
        />
      )}
      {!isGone && (meaning !== undefined || !isReworded) && (
        <ChangeEvidence value={{ files, source }} onChange={setEvidence} />
      )}
      <div className={classes.foot}>
        <span className={classes.hint} role={isLeaving ? 'alert' : undefined}>
          {isLeaving ? 'Discard your changes?' : hintOf(isAsked ? meaning : 'slip')}
          {!isLeaving && isChanged && (
            <span className={classes.keys}>
              {' '}
              <Kbd size="xs">Esc</Kbd> asks before it drops a change.
            </span>
          )}
        </span>
        {isLeaving ? (
          <>
            <Button size="xs" variant="subtle" autoFocus onClick={() => setLeaving(false)}>
              Keep editing
            </Button>
            <Button size="xs" color="red.7" onClick={onClose}>
              Discard
            </Button>
          </>
        ) : (
          <>
            <Button size="xs" variant="subtle" onClick={onClose}>
              Cancel
            </Button>
            <Button
              size="xs"
              loading={pending}
              disabled={content.trim() === '' || isUndecided}
              rightSection={
                <Kbd size="xs" className={classes.inButton} aria-hidden>
                  Ctrl Enter
                </Kbd>
              }
              onClick={save}
            >
              {isGone ? 'Add as new' : labelOf(isAsked ? meaning : undefined)}
            </Button>
          </>
        )}
      </div>
      {isAsked && meaning === 'replaced' && (
        <p className={classes.ending}>
          <bdi>{observation.content}</bdi>
          <span>
            {observation.at && `since ${formatFactTime(observation.at)}, `}will end on{' '}
            {formatFactTime(toFactTime(began))}
          </span>
        </p>
      )}
    </div>
  )
}

/** A replacement rests on what the old fact did until somebody says otherwise. */
const evidenceOf = ({ files, source }: Observation): Pick<Draft, 'files' | 'source'> => ({ files, source })

/** Keys of the two answers, whatever the keyboard makes of Alt. */
const meanings: Partial<Record<string, Meaning>> = { Digit1: 'replaced', Digit2: 'slip' }

function hintOf(meaning: Meaning | undefined): string {
  if (meaning === undefined) return 'Choose what the new wording means.'
  return meaning === 'replaced' ? 'Both are kept.' : 'The old wording stays in History.'
}

function labelOf(meaning: Meaning | undefined): string {
  if (meaning === undefined) return 'Save'
  return meaning === 'replaced' ? 'Replace' : 'Correct'
}

/** In the reader's calendar. */
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

function Elsewhere({
  isGone,
  observation,
  current,
}: Pick<EditorProps, 'observation' | 'current'> & { isGone: boolean }) {
  if (isGone) return <Alert color="yellow">It was deleted elsewhere. What you typed is still here.</Alert>
  if (current === undefined || current.content === observation.content) return null
  return (
    <Alert color="yellow">
      It was changed elsewhere; saving replaces this wording: <bdi>{current.content.slice(0, 300)}</bdi>
    </Alert>
  )
}
