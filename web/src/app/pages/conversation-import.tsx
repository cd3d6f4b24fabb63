import type { ImportedConversations } from '@loci/contract/conversations'
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useImportConversations } from '../../features/conversations/conversations.queries.ts'
import { FileDrop } from '../../features/imports/file-drop.tsx'
import { mediaTypeOf } from '../../features/imports/imports.rules.ts'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'

type ImportDialogProps = { opened: boolean; onClose: () => void }

/** Brings in the conversations of an export of another product. */
export function ConversationImport({ opened, onClose }: ImportDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Import Conversations" size="lg">
      <ImportForm onClose={onClose} />
    </Modal>
  )
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const [share, setShare] = useState(0)
  const send = useImportConversations()
  const file = send.variables?.file
  const start = (chosen: File) =>
    send.mutate({ file: chosen, mediaType: mediaTypeOf(chosen.name), onSent: setShare })
  if (send.data) return <Imported result={send.data} onClose={onClose} />
  if (send.isPending && file) {
    const text = share < 1 ? `Uploading ${file.name}...` : `Reading ${file.name}...`
    return (
      <Stack gap="xs">
        <Text style={{ overflowWrap: 'anywhere' }} role="status">
          {text}
        </Text>
        <Progress value={share * 100} size={6} animated={share === 1} aria-label={text} />
        <Text c="dimmed" size="xs">
          You can close this. What has been uploaded is stored all the same.
        </Text>
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      {send.error && file && (
        <ErrorAlert
          message={messageOf(send.error, 'The file could not be imported')}
          onRetry={() => start(file)}
        />
      )}
      <FileDrop
        title="Choose a file or drop it here"
        hint="The export of ChatGPT or Claude: the ZIP as it came, or its conversations.json. Secrets are removed before anything is stored."
        accept=".zip,.json"
        onFile={start}
      />
      <Text c="dimmed" size="xs">
        What agents say on your own machine comes in with <code className="loci-mono">loci connect</code>.
      </Text>
    </Stack>
  )
}

function Imported({ result, onClose }: { result: ImportedConversations; onClose: () => void }) {
  const { conversations, stored, known, redacted } = result
  return (
    <Stack gap="sm">
      <div role="status">
        <Text fw={550}>
          {countOf(conversations, 'conversation', 'conversations')},{' '}
          {countOf(stored, 'new turn', 'new turns')}
        </Text>
        {known > 0 && <Text c="dimmed">{countOf(known, 'turn was', 'turns were')} there already.</Text>}
        {redacted > 0 && (
          <Text c="dimmed">
            {countOf(redacted, 'secret or private passage was', 'secrets and private passages were')} removed
            before storing.
          </Text>
        )}
      </div>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
