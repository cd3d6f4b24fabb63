import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMayWrite } from '../lib/rights.ts'
import { EmptyState } from './empty-state.tsx'

type NothingListedProps = {
  /** What the list is of, in singular: `Entity`. */
  one: string
  many: string
  /** The page of the list. */
  to: '/entities' | '/relations'
  filter: { query?: string; type?: string; asOf?: string }
  onCreate: () => void
  /** Other ways to create the first memories. */
  beginnings: ReactNode
}

/** A filter without hits does not mean an empty memory, and nothing can be created in the past. */
export function NothingListed({ one, many, to, filter, onCreate, beginnings }: NothingListedProps) {
  const mayWrite = useMayWrite()
  const isFiltered = Boolean(filter.query || filter.type)
  if (isFiltered || filter.asOf) {
    return (
      <EmptyState
        title={`No ${many} found`}
        text={isFiltered ? 'Nothing matches these filters.' : 'There were none at that time.'}
        action={
          isFiltered && (
            <Button variant="default" renderRoot={(props) => <Link {...props} to={to} search={{}} />}>
              Clear Filters
            </Button>
          )
        }
      />
    )
  }
  return (
    <EmptyState
      title={`No ${many} found`}
      text={
        mayWrite ? `Create your first ${one.toLowerCase()} to get started` : 'Nothing is stored here yet.'
      }
      action={
        mayWrite && (
          <>
            <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
              Create {one}
            </Button>
            {beginnings}
          </>
        )
      }
    />
  )
}
