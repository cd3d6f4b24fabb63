import { Box, Skeleton } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { countOf } from '../../lib/format.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { DuplicateCard } from './duplicate-card.tsx'
import classes from './duplicate-list.module.css'
import { keyOf, pairsOf, useDuplicates } from './duplicates.queries.ts'

/** The server counts no further. */
const countedMax = 500

/** Pairs of entities that may be the same, most likely first; shows `none` if there are none. */
export function DuplicateList({ none }: { none: ReactNode }) {
  const query = useDuplicates()
  const { data, error, refetch, hasNextPage } = query
  const mayWrite = useMayWrite()
  const pairs = useMemo(() => pairsOf(data), [data])
  if (data === undefined)
    return error ? (
      <ErrorAlert message="Failed to look for duplicates" onRetry={() => void refetch()} />
    ) : (
      <LoadingText shape={<Shape />}>Looking for duplicates...</LoadingText>
    )
  if (pairs.length === 0 && !hasNextPage) return none
  const total = data.pages[0]?.total ?? 0
  return (
    <section aria-label="Duplicates">
      <p className={classes.count} role="status">
        {countOf(total, 'pair', 'pairs')}
        {total >= countedMax && ' or more'}
      </p>
      <div className={classes.list}>
        {pairs.map((pair) => (
          <DuplicateCard key={keyOf(pair)} pair={pair} mayWrite={mayWrite} />
        ))}
      </div>
      <Box mt="md">
        <NextPage query={query} failure="Failed to look for more">
          Show more
        </NextPage>
      </Box>
    </section>
  )
}

const Shape = () => (
  <div className={classes.list}>
    {[0, 1, 2].map((index) => (
      <Skeleton key={index} height={220} radius="md" />
    ))}
  </div>
)
