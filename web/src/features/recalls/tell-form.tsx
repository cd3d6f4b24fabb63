import { entityNameMax } from '@loci/contract/entities'
import { observationContentMax } from '@loci/contract/observations'
import { Autocomplete, Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useTell } from './mend.queries.ts'
import classes from './replay.module.css'

type TellProps = {
  /** Names of entities that the fact may be about. */
  names: readonly string[]
  label: string
  autoFocus?: boolean
  onTold: () => void
  onCancel?: () => void
}

/** Stores what an answer should have known, under an entity that is known or new. */
export function TellForm({ names, label, autoFocus = false, onTold, onCancel }: TellProps) {
  const [content, setContent] = useState('')
  const [about, setAbout] = useState(names[0] ?? '')
  const tell = useTell()
  const isTyped = content.trim() !== ''
  useUnsaved(isTyped, tell.isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isTyped || about.trim() === '' || tell.isPending) return
    tell.mutate(
      { about, content: content.trim() },
      {
        onSuccess: () => {
          setContent('')
          onTold()
        },
      },
    )
  }
  return (
    <form
      className={classes.tell}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || onCancel === undefined) return
        event.stopPropagation()
        onCancel()
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={label}
        className={classes.field}
        autoFocus={autoFocus}
        dir="auto"
        maxLength={observationContentMax}
        value={content}
        error={tell.error ? messageOf(tell.error, 'Failed to add') : undefined}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      {(isTyped || autoFocus) && (
        <Autocomplete
          aria-label="About"
          placeholder="About whom or what"
          className={classes.about}
          data={[...new Set(names)]}
          maxLength={entityNameMax}
          value={about}
          onChange={setAbout}
        />
      )}
      {onCancel && (
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button
        type="submit"
        variant="default"
        loading={tell.isPending}
        disabled={!isTyped || about.trim() === ''}
      >
        Add to memory
      </Button>
    </form>
  )
}
