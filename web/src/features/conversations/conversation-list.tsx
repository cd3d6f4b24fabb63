import type { Conversation, ConversationOrder } from '@loci/contract/conversations'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { everyRow, useIsPrinting } from '../../lib/printing.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { NextPage } from '../../ui/next-page.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './conversation-list.module.css'
import { ConversationRow } from './conversation-row.tsx'
import { conversationsOf, type useConversations } from './conversations.queries.ts'
import { groupConversations, type ListItem } from './conversations.rules.ts'
import { useRowKeys } from './use-row-keys.ts'

const rowHeight = 54
const overscan = 10

type ListProps = { query: ReturnType<typeof useConversations>; order: ConversationOrder }

/** Conversations by day, project or agent. Only those near the window are rendered; more load as it scrolls. */
export function ConversationList({ query, order }: ListProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const conversations = useMemo<Conversation[]>(() => conversationsOf(query.data), [query.data])
  const items = useMemo(
    () => groupConversations(conversations, order, hasNextPage),
    [conversations, order, hasNextPage],
  )
  const [scrollMargin, setScrollMargin] = useState(0)
  const anchor = useCallback((element: HTMLElement | null) => {
    if (element) setScrollMargin(element.getBoundingClientRect().top + window.scrollY)
  }, [])
  const isPrinting = useIsPrinting()
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]!.key,
    overscan,
    rangeExtractor: isPrinting ? everyRow : defaultRangeExtractor,
    scrollMargin,
  })
  const rows = virtualizer.getVirtualItems()
  const lastIndex = rows.at(-1)?.index ?? 0
  useEffect(() => {
    const isNear = lastIndex >= items.length - 1 - overscan && !isPrinting
    if (isNear && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [
    lastIndex,
    items.length,
    isPrinting,
    hasNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
    fetchNextPage,
  ])
  useRowKeys(conversations, (id) =>
    virtualizer.scrollToIndex(
      items.findIndex(({ key }) => key === id),
      { align: 'auto' },
    ),
  )
  return (
    <>
      <div className={classes.frame}>
        <div className={classes.columns} aria-hidden>
          <span>Conversation</span>
          <span>Facts</span>
          <span>To decide</span>
          <span>Turns</span>
          <span>Size</span>
          <span>When</span>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are placed one by one */}
        <div
          ref={anchor}
          role="list"
          aria-label="Conversations"
          className={classes.rows}
          data-placed
          style={{ height: virtualizer.getTotalSize() }}
        >
          {rows.map(({ index, key, start }) => (
            // biome-ignore lint/a11y/useSemanticElements: see above
            <div
              key={key}
              role="listitem"
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.place}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
            >
              <Item item={items[index]!} order={order} />
            </div>
          ))}
        </div>
      </div>
      <NextPage query={query} failure="Could not load more conversations.">
        Show more conversations
      </NextPage>
    </>
  )
}

type ItemProps = { item: ListItem; order: ConversationOrder }

function Item({ item, order }: ItemProps) {
  if (item.kind === 'conversation') return <ConversationRow conversation={item.conversation} order={order} />
  const { first, conversations, facts, isWhole } = item
  return (
    <div className={classes.group}>
      <h2 className={classes.groupName}>
        <GroupName first={first} order={order} />
      </h2>
      {isWhole && (
        <span className={classes.counts}>
          {countOf(conversations, 'conversation', 'conversations')}
          {facts > 0 && `, ${countOf(facts, 'fact', 'facts')}`}
        </span>
      )}
    </div>
  )
}

function GroupName({ first, order }: { first: Conversation; order: ConversationOrder }) {
  const now = useNow()
  if (order === 'day') return formatDayName(first.endedAt, now)
  const name = order === 'agent' ? first.agent : first.project?.name
  return name === undefined ? (
    'No project'
  ) : (
    <bdi>
      <VisibleText text={name} />
    </bdi>
  )
}
