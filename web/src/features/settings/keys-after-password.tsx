import { Alert, Anchor, Button, Group, List, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useRollPersonalKey, useWorkingKeys } from './settings.queries.ts'

/** After a password change: which keys still work, and a button to roll the personal one. */
export function KeysAfterPassword({ onClose }: { onClose: () => void }) {
  const roll = useRollPersonalKey()
  const { data: keys = [] } = useWorkingKeys()

  function rollKey() {
    roll.mutate(undefined, {
      onSuccess: () => notifySuccess('Personal API key rolled'),
      onError: (error) => notifyError('Failed to roll API key', messageOf(error, '')),
    })
  }

  return (
    <Alert
      color="yellow"
      icon={<IconKey size={18} />}
      title="Your API keys still work"
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">
        A new password does not revoke them. If someone else may know them, roll them and give your agents the
        new keys.
      </Text>
      {keys.length > 0 && (
        <List size="sm" mt="xs" aria-label="API keys that still work" style={{ overflowWrap: 'anywhere' }}>
          {keys.map(({ id, name, keyPreview }) => (
            <List.Item key={id}>
              {name} ({keyPreview})
            </List.Item>
          ))}
        </List>
      )}
      <Group mt="sm" gap="sm">
        <Button
          size="xs"
          variant="default"
          loading={roll.isPending}
          disabled={roll.isSuccess}
          onClick={rollKey}
        >
          Roll Personal API Key
        </Button>
        {keys.length > 0 && (
          <Anchor component={Link} to="/api-keys" size="sm">
            Manage API keys
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}
