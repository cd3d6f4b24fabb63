import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { EmptyState } from '../../ui/empty-state.tsx'

/** The screens of a space, or a message if the address names an account or a space that does not exist. */
export function KnownSpace({ children }: { children: ReactNode }) {
  const { data: spaces } = useSpaces()
  const { space, account } = useScope()
  const user = useUser()
  const navigate = useNavigate()
  if (user && account !== undefined && user.accountId !== account) return <AccountNotFound />
  if (space === undefined || !spaces || spaceOf(spaces, space)) return children
  return (
    <EmptyState
      title="Space not found"
      text="It may have been deleted, or you may not be allowed to see it."
      action={
        <Button onClick={() => void navigate({ to: '/dashboard', search: { space: undefined } })}>
          Go to my default space
        </Button>
      }
    />
  )
}

const AccountNotFound = () => (
  <EmptyState
    title="Account not found"
    text="It may have been deleted, or you are no longer a member of it."
    action={
      <Button
        renderRoot={(props) => (
          <Link {...props} to="/dashboard" search={{ account: undefined, space: undefined }} />
        )}
      >
        Go to my own account
      </Button>
    }
  />
)
