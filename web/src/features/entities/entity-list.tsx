import type { Entity } from '@loci/contract/entities'
import { Skeleton } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { messageOf } from '../../lib/errors.ts'
import type { EntityFilter } from '../../lib/filters.ts'
import { notifyError } from '../../lib/notify.tsx'
import { rowsOf } from '../../lib/pages.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { NothingListed } from '../../ui/nothing-listed.tsx'
import { PartOnPaper } from '../../ui/part-on-paper.tsx'
import { VirtualGrid } from '../../ui/virtual-grid.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { cardHeight } from './card-height.ts'
import { useEntities } from './entities.queries.ts'
import { EntityCard } from './entity-card.tsx'
import { EntityListSkeleton } from './entity-list-skeleton.tsx'
import type { EntityAction } from './entity-menu.tsx'
import { EntityTable } from './entity-table.tsx'
import { EntityToolbar, useEntityView } from './entity-toolbar.tsx'
import type { OtherSpace } from './move.queries.ts'
import { useSelection } from './use-selection.ts'

const cardWidthMin = 390

type EntityListProps = {
  filter: EntityFilter
  onFilter: (filter: EntityFilter) => void
  onAction: (action: EntityAction, entity: { id: string; name: string }) => void
  onCreate: () => void
  /** Spaces to move entities to. */
  otherSpaces: readonly OtherSpace[]
  /** Other ways to create the first memories, shown if there are none. */
  beginnings: ReactNode
}

/** The entities that match the filter, as cards or in a table, with bulk actions. */
export function EntityList({
  filter,
  onFilter,
  onAction,
  onCreate,
  otherSpaces,
  beginnings,
}: EntityListProps) {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useEntities(filter)
  const entities = useMemo(() => rowsOf(data), [data])
  const total = data?.pages[0]?.total ?? 0
  const [view, setView] = useEntityView()
  const selection = useSelection()
  const { clear } = selection
  const listed = JSON.stringify(filter)

  useEffect(() => {
    if (error) notifyError('Failed to load entities', messageOf(error, ''))
  }, [error])

  // Another list starts with an empty selection.
  useEffect(() => (listed ? clear() : undefined), [clear, listed])

  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  if (!data) {
    if (error) return <ErrorAlert message="Failed to load entities" onRetry={() => void refetch()} />
    return <EntityListSkeleton view={view} />
  }
  if (entities.length === 0 && !hasNextPage) {
    return <NothingListed one="Entity" many="entities" to="/entities" {...{ filter, onCreate, beginnings }} />
  }
  const isPast = filter.asOf !== undefined
  const toggle = isPast ? undefined : selection.toggle
  return (
    <section aria-label="Entities" data-selecting={selection.selected.size > 0 || undefined}>
      <EntityToolbar total={total} filter={filter} view={view} onFilter={onFilter} onView={setView} />
      {view === 'table' ? (
        <EntityTable
          entities={entities}
          total={total}
          filter={filter}
          selection={isPast ? undefined : selection}
          onFilter={onFilter}
          onAction={onAction}
          onNearEnd={loadMore}
        />
      ) : (
        <VirtualGrid
          label="Entities"
          items={entities}
          total={total}
          itemKey={keyOf}
          heightOf={cardHeight}
          minColumnWidth={cardWidthMin}
          renderItem={(entity) => (
            <EntityCard
              entity={entity}
              isSelected={selection.selected.has(entity.id)}
              onToggle={toggle}
              onAction={onAction}
            />
          )}
          onNearEnd={loadMore}
        />
      )}
      <PartOnPaper shown={entities.length} total={total} />
      {isFetchingNextPage && (
        <Skeleton
          height={view === 'cards' ? 160 : 40}
          mt="md"
          radius="md"
          aria-label="Loading more entities"
        />
      )}
      <BulkBar selection={selection} otherSpaces={otherSpaces} />
    </section>
  )
}

const keyOf = ({ id }: Entity) => id
