import { type HealthKind, healthKinds, type MemoryHealth } from '@loci/contract/health'
import { Button, Progress } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useMay } from '../../lib/rights.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { countChosen, Facet, FacetGroup, Facets } from '../../ui/facets.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { itemsOf, useCountTold, useMemoryHealth } from './health.queries.ts'
import { HealthList } from './health-list.tsx'
import classes from './health-view.module.css'
import { healthWords } from './health-words.ts'

type HealthViewProps = {
  kind: HealthKind | undefined
  onChoose: (kind: HealthKind | undefined) => void
  /** Shown if there is nothing to mend. */
  none: (checked: number) => ReactNode
}

/** The kinds with their counts, and the items of the chosen one or of all. */
export function HealthView({ kind, onChoose, none }: HealthViewProps) {
  const query = useMemoryHealth(kind)
  const { data, error, refetch } = query
  const count = useCountTold()
  const mayReview = useMay('memory:review')
  const items = useMemo(() => itemsOf(data), [data])
  const first = data?.pages[0]
  if (first === undefined)
    return error ? (
      <ErrorAlert message="Failed to check the memory" onRetry={() => void refetch()} />
    ) : (
      <LoadingText shape={<ListSkeleton />}>Checking the memory...</LoadingText>
    )
  if (first.checkedAt === null)
    return (
      <div className={classes.first}>
        <Running health={first} />
        <ListSkeleton />
      </div>
    )
  const total = totalOf(first.counts)
  const uncounted = !first.countsTold && mayReview && (
    <p className={classes.uncounted}>
      Never recalled: recalls are not counted.{' '}
      <Button variant="default" size="compact-xs" onClick={() => count.mutate()} loading={count.isPending}>
        Count recalls to find these.
      </Button>
    </p>
  )
  if (total === 0)
    return (
      <div className={classes.none}>
        {none(first.checked.observations)}
        {uncounted}
      </div>
    )
  return (
    <div className={classes.columns}>
      <Facets chosen={countChosen(kind)}>
        <FacetGroup title="What was found">
          <Facet
            label="Everything"
            count={total}
            isChosen={kind === undefined}
            onChoose={() => onChoose(undefined)}
          />
          {healthKinds
            .filter((one) => (first.counts[one] ?? 0) > 0 || one === kind)
            .map((one) => (
              <Facet
                key={one}
                label={healthWords[one].title}
                mark={<i className={classes.mark} data-kind={one} aria-hidden />}
                count={first.counts[one] ?? 0}
                isChosen={kind === one}
                onChoose={() => onChoose(one)}
              />
            ))}
        </FacetGroup>
        {uncounted}
      </Facets>
      <div className={classes.main}>
        {first.running && <Running health={first} />}
        <HealthList
          key={first.checkedAt}
          items={items}
          counts={first.counts}
          isOneKind={kind !== undefined}
          onChoose={onChoose}
        />
        {kind !== undefined && (
          <NextPage query={query} failure="Failed to load more">
            Show more
          </NextPage>
        )}
      </div>
    </div>
  )
}

/** How many things there are to look at. */
export const totalOf = (counts: MemoryHealth['counts']): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

function Running({ health: { running } }: { health: MemoryHealth }) {
  const { checked = 0, of = 0 } = running ?? {}
  return (
    <div className={classes.running}>
      <p role="status">
        {running ? `Checking, ${formatNumber(checked)} of ${formatNumber(of)}` : 'Checking'}
      </p>
      <Progress
        aria-label="Checking the memory"
        size={4}
        color="var(--loci-ink-2)"
        value={of > 0 ? (100 * checked) / of : 0}
      />
    </div>
  )
}
