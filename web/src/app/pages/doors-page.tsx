import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../lib/rights.ts'
import { NotPermitted } from '../../ui/not-permitted.tsx'
import { Page } from '../../ui/page.tsx'
import { DoorsBoard } from './doors-board.tsx'

export function DoorsPage() {
  const may = useMay('keys:manage')
  if (!may) return <NotPermitted title="Doors" text="Viewers of this account have no keys of their own." />
  return (
    <Page
      title="Doors"
      subtitle="Which agent comes into which memory, and how far."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/api-keys" />}>
            API Keys
          </Button>
          <Button renderRoot={(props) => <Link {...props} to="/settings" hash="connect" />}>
            Connect an agent
          </Button>
        </>
      }
    >
      <DoorsBoard />
    </Page>
  )
}
