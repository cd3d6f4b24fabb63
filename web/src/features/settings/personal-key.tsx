import { previewOfKey } from '@loci/contract/keys'
import { ActionIcon, Anchor, Button, Code, Group, Text } from '@mantine/core'
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyIcon } from '../../ui/copy-button.tsx'
import { useRollPersonalKey } from './settings.queries.ts'

/** The user's own key. Unlike other keys it can be shown again, unless the server's secret has been lost since. */
export function PersonalKey({ apiKey, isWithheld }: { apiKey: string | null; isWithheld: boolean }) {
  const [asking, setAsking] = useState(false)
  const roll = useRollPersonalKey()

  function confirm() {
    roll.mutate(undefined, {
      onSuccess: () => notifySuccess('Personal API key rolled'),
      onError: (error) => notifyError('Failed to roll API key', messageOf(error, '')),
      onSettled: () => setAsking(false),
    })
  }

  if (isWithheld)
    return (
      <Text size="sm">
        Your key is shown once you <Anchor href="#security">set up a second factor</Anchor>: an account that
        you belong to asks for one, and the key reaches all of them. Agents that use the key keep working.
      </Text>
    )
  return (
    <>
      <Group gap={16} wrap="nowrap">
        {apiKey === null ? (
          <Text size="sm">
            Your key cannot be shown, because the server's secret was replaced. Agents that use the key keep
            working. Roll it to get one that you can copy.
          </Text>
        ) : (
          <KeyText apiKey={apiKey} />
        )}
        <Button
          variant="default"
          size="xs"
          ml="auto"
          style={{ flexShrink: 0 }}
          leftSection={<IconRefresh size={14} />}
          onClick={() => setAsking(true)}
        >
          Roll
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        It gives access to the memory, never to billing, keys or settings. Create a separate key for each
        agent you want to tell apart.
      </Text>
      <ConfirmDialog
        opened={asking}
        title="Roll Personal API Key"
        confirmLabel="Roll Key"
        pending={roll.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        Agents that use the current key lose access until you give them the new one.
      </ConfirmDialog>
    </>
  )
}

function KeyText({ apiKey }: { apiKey: string }) {
  const [revealed, setRevealed] = useState(false)
  return (
    <>
      <Code style={{ overflowWrap: 'anywhere', fontSize: 13 }}>
        {revealed ? apiKey : previewOfKey(apiKey)}
      </Code>
      <ActionIcon
        aria-label={revealed ? 'Hide key' : 'Reveal key'}
        aria-pressed={revealed}
        onClick={() => setRevealed(!revealed)}
      >
        {revealed ? <IconEyeOff size={16} /> : <IconEye size={16} />}
      </ActionIcon>
      <CopyIcon value={apiKey} label="Copy key" />
    </>
  )
}
