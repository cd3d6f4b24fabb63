import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../lib/scope.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useSpaces } from './spaces.queries.ts'
import { spaceOf } from './spaces.rules.ts'

/** The screens of a space, or a word about an address that names none. */
export function KnownSpace({ children }: { children: ReactNode }) {
  const { data: spaces } = useSpaces()
  const { space } = useScope()
  const navigate = useNavigate()
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
