import { type Observation, observationContentMax } from '@loci/contract/observations'
import { Alert, Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import classes from './observation-panel.module.css'
import { useAddObservation, useUpdateObservation } from './observations.queries.ts'

type EditorProps = {
  entityId: string
  /** The observation when editing began. */
  observation: Observation
  /** The current observation; undefined if it was deleted elsewhere. */
  current: Observation | undefined
  onClose: () => void
}

/** Edits an observation in place. Discards typed text only after confirmation. */
export function ObservationEditor({ entityId, observation, current, onClose }: EditorProps) {
  const [content, setContent] = useState(observation.content)
  const [isLeaving, setLeaving] = useState(false)
  const update = useUpdateObservation(entityId)
  const add = useAddObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  const isChanged = content !== observation.content
  const isGone = current === undefined || isApiError(update.error, 'observation_not_found')
  const pending = update.isPending || add.isPending
  useUnsaved(isChanged, pending)
  const error = isGone ? add.error : update.error

  const done = (message: string) => ({
    onSuccess: ({ setId }: { setId: string | undefined }) => {
      notifyUndoable(message, setId)
      onClose()
    },
  })
  function save() {
    if (content.trim() === '' || pending) return
    if (isGone) add.mutate(content, done('Observation added'))
    else if (isChanged) update.mutate({ id: observation.id, content }, done('Observation updated'))
    else onClose()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
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
      <div className={classes.foot}>
        <span className={classes.hint} role={isLeaving ? 'alert' : undefined}>
          {isLeaving ? 'Discard your changes?' : 'The old wording stays in History.'}
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
            <Button size="xs" loading={pending} disabled={content.trim() === ''} onClick={save}>
              {isGone ? 'Add as new' : 'Save'}
            </Button>
          </>
        )}
      </div>
    </div>
  )
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
