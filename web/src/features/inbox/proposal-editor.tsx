import type { Proposal } from '@loci/contract/proposals'
import { Button, Kbd, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import classes from './inbox.module.css'
import { contentOf, factsOf } from './inbox.rules.ts'

type EditorProps = {
  proposal: Proposal
  isSaving: boolean
  onAccept: (texts: Record<string, string>) => void
  onCancel: () => void
}

/** Puts the facts of a proposal into other words before it is accepted. */
export function ProposalEditor({ proposal, isSaving, onAccept, onCancel }: EditorProps) {
  const facts = factsOf(proposal)
  const [initial] = useState(() =>
    Object.fromEntries(facts.map((fact) => [fact.subject.id, contentOf(fact)])),
  )
  const [texts, setTexts] = useState<Record<string, string>>(initial)
  useUnsaved(isChanged(texts, initial), isSaving)
  function submit(event: FormEvent) {
    event.preventDefault()
    onAccept(texts)
  }
  return (
    <form className={classes.focus} onSubmit={submit}>
      {facts.map((fact, index) => (
        <Textarea
          key={fact.subject.id}
          label={fact.subject.entityName ?? 'Fact'}
          autosize
          minRows={2}
          maxRows={12}
          autoFocus={index === 0}
          value={texts[fact.subject.id] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            setTexts((was) => ({ ...was, [fact.subject.id]: value }))
          }}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
      ))}
      <div className={classes.actions}>
        <Button
          type="submit"
          loading={isSaving}
          disabled={Object.values(texts).some((text) => text.trim() === '')}
          rightSection={
            <Kbd size="xs" className={classes.key} aria-hidden>
              Ctrl Enter
            </Kbd>
          }
        >
          Accept
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
