import { Button, Group, Text } from '@mantine/core'
import { IconFileImport, IconPlugConnected, IconSparkles } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSampleMemory } from '../../features/memory/use-sample-memory.ts'
import { useUser } from '../../lib/session.ts'

/** Ways to create the first memories, for screens with nothing to show yet. */
export function Beginnings() {
  const user = useUser()
  return user && <BeginningsOf accountId={user.accountId} />
}

function BeginningsOf({ accountId }: { accountId: string }) {
  const sample = useSampleMemory(accountId)
  return (
    <div>
      <Text c="dimmed" mt="lg" mb={4}>
        or start from what you already have
      </Text>
      <Group gap={4} justify="center">
        <Button
          component={Link}
          to="/settings"
          hash="connect"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlugConnected size={16} />}
        >
          Connect an agent
        </Button>
        <Button
          component={Link}
          to="/settings"
          hash="memory"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconFileImport size={16} />}
        >
          Import a memory file
        </Button>
        {!sample.isLoaded && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconSparkles size={16} />}
            loading={sample.isPending}
            onClick={sample.load}
          >
            Load a sample memory
          </Button>
        )}
      </Group>
    </div>
  )
}
