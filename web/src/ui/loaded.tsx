import type { ReactNode } from 'react'
import { ErrorAlert } from './error-alert.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** What to say when it cannot be had. */
  failure: string
  /** Stands there until it comes. */
  waiting: ReactNode
  children: (data: Data) => ReactNode
}

/** What a query brings; before that something that waits, or why it failed. */
export function Loaded<Data>({ query, failure, waiting, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? <ErrorAlert message={failure} onRetry={() => void query.refetch()} /> : waiting
}
