import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SearchFilters } from '../../features/searches/search-filters.tsx'
import { SearchResults } from '../../features/searches/search-results.tsx'
import { Page } from '../../ui/page.tsx'

const route = getRouteApi('/app/search')

export function SearchPage() {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/search' })
  return (
    <Page title="Search" subtitle="Ask your agents' memory in plain words.">
      <SearchFilters filter={filter} onChange={(next) => void navigate({ search: next })} />
      {/* A new question starts with its own first results. */}
      <SearchResults key={JSON.stringify(filter)} filter={filter} />
    </Page>
  )
}
