import { Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Shown when a screen itself broke; the rest of the app is still there. */
export function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <main>
      <EmptyState
        icon={<IconAlertTriangle size={22} />}
        title="Something went wrong on this page"
        text="Your memory is safe on the server. Try again, or go back to the dashboard."
        action={
          <Group gap="xs">
            <Button onClick={reset}>Try again</Button>
            <Button variant="default" component="a" href="/dashboard">
              Dashboard
            </Button>
          </Group>
        }
      />
    </main>
  )
}
