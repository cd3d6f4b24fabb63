import type { CreateShare, ShareView } from '@loci/contract/shares'
import { Anchor, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useCreateShare } from './shares.queries.ts'

/** What is to be shared, and its name. */
export type ToShare = { view: ShareView; name: string }

type ShareDialogProps = { subject: ToShare | undefined; onClose: () => void }

const dayMs = 24 * 60 * 60 * 1000
const ends = [
  { value: '7', label: 'In a week' },
  { value: '30', label: 'In 30 days' },
  { value: '', label: 'When it is ended in Settings' },
]

/** Makes a read-only page of a part of the memory, and shows its address once. */
export function ShareDialog({ subject, onClose }: ShareDialogProps) {
  return (
    <Modal opened={subject !== undefined} onClose={onClose} title="Share a view" size="md">
      {subject && <ShareForm subject={subject} onClose={onClose} />}
    </Modal>
  )
}

function ShareForm({ subject, onClose }: { subject: ToShare; onClose: () => void }) {
  const create = useCreateShare()
  const [title, setTitle] = useState('')
  const [note, setNote] = useState('')
  const [days, setDays] = useState('30')
  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate(toShare(subject.view, { title, note, days }))
  }
  if (create.data) return <SharedAddress url={create.data.url} onClose={onClose} />
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          Anyone with the link can read <b>{subject.name}</b> as it is now, without an account. They see
          neither who wrote what nor anything else of this memory.
        </Text>
        <TextInput
          data-autofocus
          label="Title"
          placeholder={subject.name}
          maxLength={128}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TextInput
          label="Note"
          placeholder="What it is for"
          maxLength={300}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <NativeSelect
          label="Ends"
          data={ends}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        {create.error && (
          <Text role="alert" size="sm" c="var(--loci-bad)">
            {messageOf(create.error, 'Failed to share this view')}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Share
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function SharedAddress({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        This is the only time that the link is shown. Settings lists the page, and ends it.
      </Text>
      <TextInput label="Link" readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      <Group justify="flex-end">
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
          Open
        </Anchor>
        <CopyButton value={url} label="Copy link" />
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

function toShare(view: ShareView, said: { title: string; note: string; days: string }): CreateShare {
  const title = said.title.trim()
  const note = said.note.trim()
  const expiresAt = said.days && new Date(Date.now() + Number(said.days) * dayMs).toISOString()
  return {
    view: { ...view, ...(title && { title }), ...(note && { note }) },
    ...(expiresAt && { expiresAt }),
  }
}
