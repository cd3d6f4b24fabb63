import type { Space } from '@loci/contract/spaces'
import { Button, CloseButton, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { recallThrough } from './call-through.ts'
import classes from './doors.module.css'

type TryProps = { space: Space; secret: string; onClose: () => void }

/** A recall through the personal key into a memory, answered as an agent sees it. It writes nothing. */
export function TryDoor({ space, secret, onClose }: TryProps) {
  const [question, setQuestion] = useState('')
  const call = useMutation({ mutationFn: () => recallThrough(secret, space.id, question) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (question.trim() !== '' && !call.isPending) call.mutate()
  }
  return (
    <section className={classes.trial} aria-label={`Try it: ${space.name}`}>
      <header>
        <b>
          Personal key into <bdi>{space.name}</bdi>
        </b>
        <CloseButton aria-label="Close" onClick={onClose} />
      </header>
      <form onSubmit={submit}>
        <TextInput
          aria-label="A question to recall"
          placeholder="A question, as an agent would ask it"
          autoFocus
          maxLength={1_000}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <Button type="submit" loading={call.isPending} disabled={question.trim() === ''}>
          Try it
        </Button>
      </form>
      {call.error && <p role="alert">{call.error.message}</p>}
      {call.data && (
        <>
          <pre dir="auto">{call.data.text || 'The answer is empty.'}</pre>
          <p>Answered in {countOf(call.data.ms, 'millisecond', 'milliseconds')}</p>
        </>
      )}
    </section>
  )
}
