import { observationContentMax } from '@loci/contract/observations'
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useAddObservation } from './entities.queries.ts'
import classes from './observation-list.module.css'

/** One line to note something down; what is typed stays until it is stored. */
export function AddObservation({ entityId }: { entityId: string }) {
  const [content, setContent] = useState('')
  const add = useAddObservation(entityId)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (content.trim() !== '') add.mutate(content.trim(), { onSuccess: () => setContent('') })
  }

  return (
    <form className={classes.add} onSubmit={submit}>
      <Textarea
        aria-label="New observation"
        placeholder="Add an observation..."
        dir="auto"
        autosize
        minRows={1}
        maxRows={8}
        flex={1}
        maxLength={observationContentMax}
        value={content}
        error={add.error && messageOf(add.error, 'Failed to add observation')}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
        }}
      />
      <Button type="submit" variant="default" loading={add.isPending} disabled={content.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
