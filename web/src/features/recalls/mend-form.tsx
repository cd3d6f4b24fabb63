import { entityNameMax } from '@loci/contract/entities'
import { observationContentMax } from '@loci/contract/observations'
import type { ReplayedRow } from '@loci/contract/recalls'
import { Button, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { type Mend, useMend } from './mend.queries.ts'
import { todayHere } from './recall-words.ts'
import classes from './replay.module.css'

/** What is wrong with a row: its wording, that something beside it is missing, or that it is no longer so. */
export type Fault = 'wrong' | 'missing' | 'outdated'

type Row = ReplayedRow & { entity: { id: string; name: string }; content: string }
type MendProps = { fault: Fault; row: Row; onClose: () => void }

/** Mends the memory at a row. */
export function MendForm({ fault, row, onClose }: MendProps) {
  const mend = useMend()
  const { entity, observationId } = row
  const ofRow = { entityId: entity.id, observationId }
  const save = (change: Mend) => mend.mutate(change, { onSuccess: onClose })
  const common = { pending: mend.isPending, error: mend.error, onClose }
  if (fault === 'missing') return <MissingForm {...common} entity={entity} onSave={save} />
  return (
    <WordingForm
      {...common}
      key={fault}
      content={row.content}
      isOutdated={fault === 'outdated'}
      onForget={() => save({ kind: 'forget', ...ofRow })}
      onSave={(content, at) =>
        save(
          fault === 'outdated'
            ? { kind: 'replace', ...ofRow, content, ...(at && { at }) }
            : { kind: 'correct', ...ofRow, content },
        )
      }
    />
  )
}

type FormProps = { pending: boolean; error: unknown; onClose: () => void }
type WordingProps = FormProps & {
  content: string
  isOutdated: boolean
  onForget: () => void
  onSave: (content: string, at: string) => void
}

function WordingForm({ content, isOutdated, pending, error, onClose, onForget, onSave }: WordingProps) {
  const [text, setText] = useState(content)
  const [at, setAt] = useState(todayHere)
  const isChanged = text.trim() !== '' && text !== content
  useUnsaved(isChanged, pending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !pending) onSave(text.trim(), at)
  }
  return (
    <form className={classes.mend} onSubmit={submit} onKeyDown={closeOnEscape(onClose)}>
      <Field
        label={isOutdated ? 'What is so now' : 'The right wording'}
        value={text}
        error={error}
        onChange={setText}
      />
      {isOutdated && (
        <TextInput
          type="date"
          aria-label="Since"
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
      )}
      <Button variant="subtle" onClick={onClose}>
        Cancel
      </Button>
      {!isOutdated && (
        <Button variant="default" loading={pending} onClick={onForget}>
          Forget
        </Button>
      )}
      <Button type="submit" loading={pending} disabled={!isChanged}>
        {isOutdated ? 'Replace' : 'Correct'}
      </Button>
    </form>
  )
}

type MissingProps = FormProps & { entity: { id: string; name: string }; onSave: (mend: Mend) => void }

function MissingForm({ entity, pending, error, onClose, onSave }: MissingProps) {
  const [content, setContent] = useState('')
  const [alias, setAlias] = useState('')
  const isReady = content.trim() !== '' || alias.trim() !== ''
  useUnsaved(isReady, pending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || pending) return
    if (content.trim() !== '') onSave({ kind: 'add', entityId: entity.id, content: content.trim() })
    else onSave({ kind: 'alias', entityId: entity.id, alias: alias.trim() })
  }
  return (
    <form className={classes.mend} onSubmit={submit} onKeyDown={closeOnEscape(onClose)}>
      <Field
        label={`What is missing about ${entity.name}`}
        placeholder={`What is missing about ${entity.name}`}
        value={content}
        error={error}
        onChange={setContent}
      />
      <TextInput
        aria-label={`Another name of ${entity.name}`}
        placeholder="or another name"
        maxLength={entityNameMax}
        disabled={content.trim() !== ''}
        value={alias}
        onChange={(event) => setAlias(event.currentTarget.value)}
      />
      <Button variant="subtle" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={pending} disabled={!isReady}>
        {content.trim() === '' && alias.trim() !== '' ? 'Add name' : 'Add'}
      </Button>
    </form>
  )
}

type FieldProps = {
  label: string
  placeholder?: string
  value: string
  error: unknown
  onChange: (value: string) => void
}

function Field({ label, placeholder, value, error, onChange }: FieldProps) {
  return (
    <Textarea
      aria-label={label}
      placeholder={placeholder}
      className={classes.field}
      dir="auto"
      autosize
      autoFocus
      minRows={1}
      maxRows={8}
      maxLength={observationContentMax}
      value={value}
      error={error ? messageOf(error, 'Failed to save') : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
          event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}

const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  event.stopPropagation()
  onClose()
}
