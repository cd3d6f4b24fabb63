import { observationContentMax } from '@loci/contract/observations'
import { Button, Kbd, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useKeepDraft, useKeptDraft } from '../../lib/kept-drafts.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import classes from './observation-panel.module.css'
import { useAddObservation } from './observations.queries.ts'

/** One line to add an observation; keeps the typed text until it is stored. */
export function AddObservation({ entityId }: { entityId: string }) {
  const draft = `observation of ${entityId}`
  const [content, setContent] = useState(useKeptDraft<string>(draft) ?? '')
  const add = useAddObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  const isBlank = content.trim() === ''
  useUnsaved(!isBlank, add.isPending)
  useKeepDraft(draft, content, !isBlank)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBlank || add.isPending) return
    add.mutate(content.trim(), {
      onSuccess: ({ setId }) => {
        // The next one may be typed while this one is on its way.
        setContent((now) => (now.startsWith(content) ? now.slice(content.length).trimStart() : now))
        notifyUndoable('Observation added', setId)
      },
    })
  }

  return (
    <form className={classes.add} onSubmit={submit}>
      <Textarea
        aria-label="New observation"
        placeholder="Add an observation"
        dir="auto"
        autosize
        minRows={1}
        maxRows={12}
        maxLength={observationContentMax}
        value={content}
        error={add.error && messageOf(add.error, 'Failed to add observation')}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
        }}
      />
      {!isBlank && (
        <div className={classes.foot}>
          <span className={`${classes.hint} ${classes.keys}`}>
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> adds it
          </span>
          <Button type="submit" size="xs" loading={add.isPending}>
            Add
          </Button>
        </div>
      )}
    </form>
  )
}
