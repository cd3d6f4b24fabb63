import type { DoorTrial, TriedTool } from '@loci/contract/doors'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import type { Cell } from './agents.rules.ts'
import classes from './door-panel.module.css'
import lights from './doors.module.css'
import { useTryDoor } from './doors.queries.ts'

const tools: readonly TriedTool[] = ['recall', 'add_observations']

/** A call through the door's own credential, answered as its agent is answered. It writes nothing. */
export function TryDoor({ cell }: { cell: Cell }) {
  const [tool, setTool] = useState<TriedTool>('recall')
  const [text, setText] = useState('')
  const call = useTryDoor(cell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '' && !call.isPending) call.mutate({ tool, text })
  }
  return (
    <section className={classes.trial} aria-label={`Try it: ${cell.agent.name} into ${cell.space.name}`}>
      <h3>
        Try it{' '}
        <small>A real call through this {cell.credential?.kind === 'connection' ? 'app' : 'key'}</small>
      </h3>
      <form onSubmit={submit}>
        <NativeSelect
          aria-label="Tool"
          value={tool}
          onChange={(event) => setTool(event.currentTarget.value as TriedTool)}
          data={[...tools]}
        />
        <TextInput
          data-try
          aria-label={tool === 'recall' ? 'A question to recall' : 'A fact to add'}
          placeholder={
            tool === 'recall' ? 'A question, as an agent would ask it' : 'A fact; it is not stored'
          }
          maxLength={1_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={call.isPending} disabled={text.trim() === ''}>
          Try it
        </Button>
      </form>
      {call.error && <p role="alert">{messageOf(call.error, 'The call failed')}</p>}
      {call.data && <Trial trial={call.data} />}
    </section>
  )
}

function Trial({ trial: { outcome, text, observations, tokens, ms } }: { trial: DoorTrial }) {
  const counts = [countOf(observations, 'observation', 'observations'), countOf(tokens, 'token', 'tokens')]
  return (
    <div role="status">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre dir="auto" tabIndex={0}>
        {text || 'The answer is empty.'}
      </pre>
      <p className={lights.light} data-light={outcome === 'refused' ? 'refused' : 'recent'}>
        {outcome === 'answered' && `Answered in ${ms} ms · ${counts.join(' · ')}`}
        {outcome === 'stored' && 'It would be stored at once. Nothing was written.'}
        {outcome === 'proposed' && 'It would wait in the Inbox. Nothing was written.'}
        {outcome === 'refused' && 'Refused'}
      </p>
    </div>
  )
}
