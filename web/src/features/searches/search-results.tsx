import type { SearchResponse } from '@loci/contract/search'
import { Button, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import type { SearchFilter } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { Highlighted } from './highlighted.tsx'
import { ScoreExplanation } from './score-explanation.tsx'
import classes from './search-results.module.css'
import { useSearch } from './searches.queries.ts'

const portion = 20
const resultsMax = 500

export function SearchResults({ filter }: { filter: SearchFilter }) {
  const [limit, setLimit] = useState(portion)
  const { data, error, isFetching, refetch } = useSearch(filter, limit)
  if (!filter.query) {
    return (
      <EmptyState
        icon={<IconSearch size={20} />}
        title="Search your knowledge"
        text="Names, types and every observation, best matches first."
      />
    )
  }
  if (error) return <ErrorAlert message={messageOf(error, 'Search failed')} onRetry={() => void refetch()} />
  if (!data) return <LoadingText>Searching...</LoadingText>
  if (data.results.length === 0) {
    return (
      <EmptyState
        icon={<IconSearch size={20} />}
        title="No results found"
        text="Try other words, or fewer filters."
      />
    )
  }
  return (
    <div aria-busy={isFetching}>
      <Text c="dimmed" mb="xs" role="status" className="loci-number">
        {countOf(data.total, 'result', 'results')}
      </Text>
      <ol className={classes.results}>
        {data.results.map((result) => (
          <Result key={result.entity.id} result={result} />
        ))}
      </ol>
      {data.total > data.results.length && limit < resultsMax && (
        <div className={classes.more}>
          <Button variant="default" loading={isFetching} onClick={() => setLimit(limit + portion * 2)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function Result({ result: { entity, matches, explain } }: { result: SearchResponse['results'][number] }) {
  return (
    <li className={classes.result}>
      <div className={classes.head}>
        <Link
          to="/entities/$entityId"
          params={{ entityId: entity.id }}
          className={classes.name}
          dir="auto"
          title={entity.name}
        >
          {entity.name}
        </Link>
        <TypeBadge type={entity.type} />
        <span className={classes.count}>
          {countOf(entity.observationsCount, 'observation', 'observations')}
        </span>
      </div>
      {matches.length > 0 && (
        <ul className={classes.matches}>
          {matches.map((match) => (
            <li key={match.observationId}>
              <span dir="auto">
                <Highlighted content={match.content} highlights={match.highlights} />
              </span>{' '}
              <span className={classes.date}>
                <TimeText iso={match.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {explain && <ScoreExplanation parts={explain} />}
    </li>
  )
}
