import { Button, Center } from '@mantine/core'
import { ErrorAlert } from './error-alert.tsx'

type Paged = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

type NextPageProps = {
  query: Paged
  /** The button. */
  children: string
  /** The message if loading fails; what is shown already stays, and only this page is requested again. */
  failure: string
}

/** The end of a list: a button for the next page, replaced by the error if that page fails to load. */
export function NextPage({ query, children, failure }: NextPageProps) {
  const load = () => void query.fetchNextPage()
  if (query.isFetchNextPageError) return <ErrorAlert message={failure} onRetry={load} />
  if (!query.hasNextPage) return null
  return (
    <Center>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={load}>
        {children}
      </Button>
    </Center>
  )
}
