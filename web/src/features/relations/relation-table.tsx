import type { Relation } from '@loci/contract/relations'
import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { messageOf } from '../../lib/errors.ts'
import type { RelationFilter } from '../../lib/filters.ts'
import { countOf } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { rowsOf } from '../../lib/pages.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { NothingListed } from '../../ui/nothing-listed.tsx'
import { PartOnPaper } from '../../ui/part-on-paper.tsx'
import { useTableRowHeight, useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { type RelationAction, RelationRow } from './relation-row.tsx'
import classes from './relation-table.module.css'
import { RelationTableSkeleton } from './relation-table-skeleton.tsx'
import { useRelations } from './relations.queries.ts'

/** On phones each relation takes two lines. */
const phone = '(max-width: 480px)'
const phoneRowHeight = 88

type RelationTableProps = {
  filter: RelationFilter
  onAction: (action: RelationAction, relation: Relation) => void
  onCreate: () => void
  /** Other ways to create the first memories, shown if there are none. */
  beginnings: ReactNode
}

export function RelationTable({ filter, onAction, onCreate, beginnings }: RelationTableProps) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useRelations(filter)
  const relations = useMemo(() => rowsOf(data), [data])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const isPhone = useMediaQuery(phone, false, { getInitialValueInEffect: false })
  const rowHeight = useTableRowHeight()
  const height = isPhone ? phoneRowHeight : rowHeight
  const { anchor, rows, before, after } = useVirtualRows(relations, height, loadMore)

  useEffect(() => {
    if (error) notifyError('Failed to load relations', messageOf(error, ''))
  }, [error])

  if (!data) {
    if (error) return <ErrorAlert message="Failed to load relations" onRetry={() => void refetch()} />
    return <RelationTableSkeleton />
  }
  if (relations.length === 0) {
    return (
      <NothingListed one="Relation" many="relations" to="/relations" {...{ filter, onCreate, beginnings }} />
    )
  }
  const total = data.pages[0]?.total ?? 0
  return (
    <div>
      <Text fw={600} size="sm" mb="xs" className="loci-number" role="status">
        {countOf(total, 'relation', 'relations')}
      </Text>
      <div className={classes.frame} ref={anchor}>
        <table className={classes.table} aria-rowcount={total + 1}>
          <thead>
            <tr>
              <th>From Entity</th>
              <th>Relation</th>
              <th>To Entity</th>
              <th>Created</th>
              <th>Actions</th>
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr aria-hidden style={{ height: before }} />}
            {rows.map(({ index }) => (
              <RelationRow
                key={relations[index]!.id}
                relation={relations[index]!}
                rowIndex={index + 2}
                onAction={onAction}
              />
            ))}
            {after > 0 && <tr aria-hidden style={{ height: after }} />}
          </tbody>
        </table>
      </div>
      <PartOnPaper shown={relations.length} total={total} />
    </div>
  )
}
