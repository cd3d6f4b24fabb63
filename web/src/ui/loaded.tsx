import type { ReactNode } from 'react'
import { ErrorAlert } from './error-alert.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** The message if loading fails. */
  failure: string
  /** Shown while loading. */
  waiting: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders a query's data; until then a placeholder, or the error. */
export function Loaded<Data>({ query, failure, waiting, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? <ErrorAlert message={failure} onRetry={() => void query.refetch()} /> : waiting
}
