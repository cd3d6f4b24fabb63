import type { SearchObservationsResponse } from '@loci/contract/search'
import { Button, Skeleton } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MemoryPlan } from '../../features/memory/memory-plan.tsx'
import { AgentContext } from '../../features/searches/agent-context.tsx'
import { facetsOf, writtenBy } from '../../features/searches/hits.rules.ts'
import { SearchBox } from '../../features/searches/search-box.tsx'
import { SearchFacets } from '../../features/searches/search-facets.tsx'
import { SearchResults } from '../../features/searches/search-results.tsx'
import { useSearch } from '../../features/searches/searches.queries.ts'
import { Understood } from '../../features/searches/understood.tsx'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { messageOf } from '../../lib/errors.ts'
import type { SearchFilter } from '../../lib/filters.ts'
import { countOf } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Frame, Panel } from '../../ui/frame.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './search-page.module.css'

const route = getRouteApi('/app/search')
const portion = 50
const resultsMax = 500
/** The number of best hits that the line on the plan connects. */
const walkedMax = 12

export function SearchPage() {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/search' })
  const change = (part: Partial<SearchFilter>) =>
    void navigate({ search: (was) => ({ ...was, ...part }), resetScroll: false })
  return (
    // A new query starts at its first page of results.
    <SearchScreen key={filter.query ?? ''} filter={filter} onChange={change} />
  )
}

type ScreenProps = { filter: SearchFilter; onChange: (part: Partial<SearchFilter>) => void }

function SearchScreen({ filter, onChange }: ScreenProps) {
  const [limit, setLimit] = useState(portion)
  const { data, error, isFetching, refetch } = useSearch(filter, limit)
  const { data: unfiltered = data } = useSearch({ ...filter, type: undefined }, portion)
  const unread = data && limit < resultsMax ? data.total - data.observations.length : 0
  const shown = data && writtenBy(data, filter.by)
  const isEmpty =
    shown && shown.observations.length + shown.relations.length + shown.entities.length + unread === 0
  return (
    <Page
      title="Search Knowledge"
      subtitle="Search every observation. Agents recall through the same search."
    >
      <SearchBox
        query={filter.query ?? ''}
        found={shown && filter.query && countOf(shown.total, 'observation', 'observations')}
        onSearch={(query) => onChange({ query: query || undefined })}
      />
      {!filter.query && (
        <EmptyState
          title="Search your knowledge"
          text="Searches names, types, metadata and observations, best matches first."
        />
      )}
      {filter.query && (
        <div className={classes.columns}>
          <SearchFacets
            filter={filter}
            total={unfiltered?.total}
            facets={facetsOf(unfiltered?.observations ?? [])}
            onChange={onChange}
          />
          <div className={classes.results}>
            {error && (
              <ErrorAlert message={messageOf(error, 'Search failed')} onRetry={() => void refetch()} />
            )}
            {!data && !error && <Waiting />}
            {data && <Understood understood={data.understood} />}
            {isEmpty && <NoResults filter={filter} onChange={onChange} />}
            {shown && !isEmpty && (
              <SearchResults
                query={filter.query}
                answer={shown}
                unread={unread}
                isFetching={isFetching}
                onMore={() => setLimit(Math.min(resultsMax, limit + portion * 3))}
              />
            )}
          </div>
          <div className={classes.side}>
            {shown && shown.observations.length > 0 && <WhereFound hits={shown.observations} />}
            {data && !isEmpty && <AgentContext filter={filter} />}
          </div>
        </div>
      )}
    </Page>
  )
}

function NoResults({ filter: { type, by, after, before }, onChange }: ScreenProps) {
  const isFiltered = [type, by, after, before].some((value) => value !== undefined)
  const clear = () => onChange({ type: undefined, by: undefined, after: undefined, before: undefined })
  return (
    <EmptyState
      title="No results found"
      text={isFiltered ? 'Try other words, or fewer filters.' : 'Try other words.'}
      action={
        isFiltered && (
          <Button variant="default" onClick={clear}>
            Clear Filters
          </Button>
        )
      }
    />
  )
}

/** The plan of the memory, with a line through the rooms of the hits. */
function WhereFound({ hits }: { hits: SearchObservationsResponse['observations'] }) {
  const { data: types } = useEntityTypes()
  if (!types) return null
  const recalled = hits.slice(0, walkedMax).map(({ entity }) => entity)
  return (
    <Frame className={classes.plan}>
      <Panel title="Where it was found">
        <MemoryPlan types={types} recalled={recalled} />
      </Panel>
    </Frame>
  )
}

function Waiting() {
  return (
    <div role="status" className={classes.results}>
      <span className="loci-unseen">Searching...</span>
      <Skeleton height={96} radius="md" />
      <Skeleton height={96} radius="md" />
      <Skeleton height={96} radius="md" />
    </div>
  )
}
