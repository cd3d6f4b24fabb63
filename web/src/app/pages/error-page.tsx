import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MissingScreenError } from '../lazy-screen.tsx'
import { useMissingScreen } from '../use-missing-screen.ts'

/** Replaces a screen that crashed or failed to load; the navigation around it stays. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return error instanceof MissingScreenError ? (
    <MissingScreen error={error} reset={reset} />
  ) : (
    <BrokenScreen reset={reset} />
  )
}

function BrokenScreen({ reset }: { reset: () => void }) {
  const router = useRouter()
  const client = useQueryClient()
  async function tryAgain() {
    // Cached data may have caused the crash.
    client.removeQueries({ type: 'inactive' })
    await router.invalidate()
    reset()
  }
  return (
    <EmptyState
      title="Something went wrong on this page"
      text="Your memory is safe on the server. Try again, or go back to the dashboard."
      action={
        <Group gap="xs">
          <Button onClick={() => void tryAgain()}>Try again</Button>
          <Button variant="default" component="a" href="/dashboard">
            Dashboard
          </Button>
        </Group>
      }
    />
  )
}

function MissingScreen({ error, reset }: { error: MissingScreenError; reset: () => void }) {
  const { reachable, retry } = useMissingScreen(error, reset)
  const [trying, setTrying] = useState(false)
  return (
    <EmptyState
      title="This page could not be loaded"
      text={
        reachable
          ? 'The server may have been updated. Try again to load its current version.'
          : 'The server cannot be reached. The page opens as soon as the connection is back.'
      }
      action={
        <Button
          loading={trying}
          onClick={() => {
            setTrying(true)
            void retry().finally(() => setTrying(false))
          }}
        >
          Try again
        </Button>
      }
    />
  )
}
