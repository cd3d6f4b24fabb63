import { entityNameMax } from '@loci/contract/entities'
import { Button, Kbd, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import classes from './inbox.module.css'
import { contentOf, type Edited, factsOf, type Item, unclearWordOf, verbsOf } from './inbox.rules.ts'

type EditorProps = {
  proposal: Item
  /** What was typed before, but not stored. */
  typed: Edited | undefined
  isSaving: boolean
  onAccept: (edited: Edited) => void
  onCancel: () => void
}

/** Puts the facts of a proposal into other words before it is accepted; a draft can go to another entity, too. */
export function ProposalEditor({ proposal, typed, isSaving, onAccept, onCancel }: EditorProps) {
  const facts = factsOf(proposal)
  const [initial] = useState(() =>
    Object.fromEntries(facts.map((fact) => [fact.subject.id, contentOf(fact)])),
  )
  const [texts, setTexts] = useState<Record<string, string>>({ ...initial, ...typed?.texts })
  const named = proposal.draft ? (facts[0]?.subject.entityName ?? '') : undefined
  const [about, setAbout] = useState(typed?.about ?? named)
  const unclear = unclearWordOf(proposal)
  useUnsaved(isChanged({ ...texts, about }, { ...initial, about: named }), isSaving)
  function submit(event: FormEvent) {
    event.preventDefault()
    onAccept({ texts, ...(about !== undefined && { about }) })
  }
  return (
    <form className={classes.focus} onSubmit={submit}>
      {facts.map((fact, index) => (
        <Textarea
          key={fact.subject.id}
          label={(!proposal.draft && fact.subject.entityName) || 'Fact'}
          description={unclear && `It begins with “${unclear}”: say what is meant, so that it stands alone.`}
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
      {about !== undefined && (
        <TextInput
          label="About"
          maxLength={entityNameMax}
          value={about}
          onChange={(event) => setAbout(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
      )}
      <div className={classes.actions}>
        <Button
          type="submit"
          loading={isSaving}
          disabled={[...Object.values(texts), about ?? 'a name'].some((text) => text.trim() === '')}
          rightSection={
            <Kbd size="xs" className={classes.key} aria-hidden>
              Ctrl Enter
            </Kbd>
          }
        >
          {verbsOf(proposal).accept}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
