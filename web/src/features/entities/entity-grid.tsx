import { Button, Center, Loader, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { rowsOf } from '../../lib/pages.ts'
import type { EntityFilter } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { VirtualGrid } from '../../ui/virtual-grid.tsx'
import { useEntities } from './entities.queries.ts'
import { type EntityAction, EntityCard } from './entity-card.tsx'

const cardHeight = 176
const cardWidthMin = 264

type EntityGridProps = {
  filter: EntityFilter
  onAction: (action: EntityAction, entity: { id: string; name: string }) => void
  onCreate: () => void
}

export function EntityGrid({ filter, onAction, onCreate }: EntityGridProps) {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useEntities(filter)
  const entities = useMemo(() => rowsOf(data), [data])
  const total = data?.pages[0]?.total ?? 0

  useEffect(() => {
    if (error) notifyError('Failed to load entities', messageOf(error, ''))
  }, [error])

  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  if (!data) {
    if (error) return <ErrorAlert message="Failed to load entities" onRetry={() => void refetch()} />
    return (
      <Center py={80}>
        <Loader aria-label="Loading entities" />
      </Center>
    )
  }
  if (entities.length === 0) {
    return <NoEntities filter={filter} onCreate={onCreate} />
  }
  return (
    <section aria-label="Entities">
      <Text c="dimmed" size="sm" mb="xs" className="loci-number" role="status">
        {countOf(total, 'entity', 'entities')}
      </Text>
      <VirtualGrid
        label="Entities"
        items={entities}
        total={total}
        itemKey={({ id }) => id}
        itemHeight={cardHeight}
        minColumnWidth={cardWidthMin}
        renderItem={(entity) => <EntityCard entity={entity} onAction={onAction} />}
        onNearEnd={loadMore}
      />
      {isFetchingNextPage && (
        <Center py="md">
          <Loader size="sm" aria-label="Loading more entities" />
        </Center>
      )}
    </section>
  )
}

type NoEntitiesProps = { filter: EntityFilter; onCreate: () => void }

/** A filter without hits is no empty memory, and the past is not the place to create. */
function NoEntities({ filter, onCreate }: NoEntitiesProps) {
  const isFiltered = Boolean(filter.query || filter.type)
  if (isFiltered || filter.asOf) {
    return (
      <EmptyState
        title="No entities found"
        text={isFiltered ? 'Nothing matches these filters.' : 'There were none at this moment.'}
        action={
          isFiltered && (
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/entities" search={{}} />}>
              Clear Filters
            </Button>
          )
        }
      />
    )
  }
  return (
    <EmptyState
      title="No entities found"
      text="Create your first entity to get started"
      action={
        <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
          Create Entity
        </Button>
      }
    />
  )
}
