import type { ObservationFields } from '@loci/contract/observations'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import classes from './change-choice.module.css'
import { whereOf } from './fact-facts.tsx'

type Evidence = Pick<ObservationFields, 'files' | 'source'>
type EvidenceProps = { value: Evidence; onChange: (value: Evidence) => void }

/** What a wording rests on: files of a code base, and where it is from. */
export function ChangeEvidence({ value, onChange }: EvidenceProps) {
  const { files = [], source } = value
  const [isAdding, setAdding] = useState(false)
  const keep = (left: NonNullable<Evidence['files']>) => onChange({ ...value, files: left })
  return (
    <>
      <div className={classes.line}>
        <span className={classes.label}>Files</span>
        {files.map((file) => (
          <Chip key={whereOf(file)} onRemove={() => keep(files.filter((one) => one !== file))}>
            <code>{whereOf(file)}</code>
          </Chip>
        ))}
        {isAdding ? (
          <EntryField
            label="File, and lines if you like"
            placeholder="src/main.rs:12-40"
            onEnter={(text) => {
              keep([...files, toFile(text)])
              setAdding(false)
            }}
          />
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => setAdding(true)}
          >
            Add a file
          </Button>
        )}
      </div>
      <div className={classes.line}>
        <span className={classes.label}>Source</span>
        {source ? (
          <Chip onRemove={() => onChange({ ...value, source: undefined })}>
            <bdi>{source.title ?? source.url ?? 'a conversation'}</bdi>
          </Chip>
        ) : (
          <EntryField
            label="Source"
            placeholder="Paste an address"
            onEnter={(url) =>
              onChange({ ...value, source: /^https?:\/\//i.test(url) ? { url } : { title: url } })
            }
          />
        )}
      </div>
    </>
  )
}

/** `src/main.rs:12-40` */
function toFile(text: string) {
  const [, path = text, lines] = /^(.+):(\d+(?:-\d+)?)$/.exec(text) ?? []
  return { path, ...(lines && { lines }) }
}

function Chip({ onRemove, children }: { onRemove: () => void; children: React.ReactNode }) {
  return (
    <span className={classes.chip}>
      <span className={classes.chipText}>{children}</span>
      <ActionIcon size={18} aria-label="Remove" onClick={onRemove}>
        <IconX size={12} />
      </ActionIcon>
    </span>
  )
}

type EntryProps = { label: string; placeholder: string; onEnter: (text: string) => void }

/** Takes a line with Enter, or when the field is left. */
function EntryField({ label, placeholder, onEnter }: EntryProps) {
  const [text, setText] = useState('')
  const enter = () => text.trim() !== '' && onEnter(text.trim())
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    enter()
  }
  return (
    <TextInput
      size="xs"
      className={classes.entry}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      maxLength={1_024}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={enter}
    />
  )
}
