import type { Conversation } from '@loci/contract/conversations'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { NextPage } from '../../ui/next-page.tsx'
import classes from './conversation-list.module.css'
import { ConversationRow } from './conversation-row.tsx'
import { conversationsOf, type useConversations } from './conversations.queries.ts'
import { groupByDay, type ListItem } from './conversations.rules.ts'
import { useRowKeys } from './use-row-keys.ts'

const rowHeight = 54
const overscan = 10

/** Conversations by day, newest first. Only those near the window are rendered; older ones load as it scrolls. */
export function ConversationList({ query }: { query: ReturnType<typeof useConversations> }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const conversations = useMemo<Conversation[]>(() => conversationsOf(query.data), [query.data])
  const items = useMemo(() => groupByDay(conversations, hasNextPage), [conversations, hasNextPage])
  const [scrollMargin, setScrollMargin] = useState(0)
  const anchor = useCallback((element: HTMLElement | null) => {
    if (element) setScrollMargin(element.getBoundingClientRect().top + window.scrollY)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]!.key,
    overscan,
    scrollMargin,
  })
  const rows = virtualizer.getVirtualItems()
  const lastIndex = rows.at(-1)?.index ?? 0
  useEffect(() => {
    const isNear = lastIndex >= items.length - 1 - overscan
    if (isNear && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [lastIndex, items.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
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
              <Item item={items[index]!} />
            </div>
          ))}
        </div>
      </div>
      <NextPage query={query} failure="Could not load older conversations.">
        Show older conversations
      </NextPage>
    </>
  )
}

function Item({ item }: { item: ListItem }) {
  const now = useNow()
  if (item.kind === 'conversation') return <ConversationRow conversation={item.conversation} />
  const { iso, conversations, facts, isWhole } = item
  return (
    <div className={classes.day}>
      <h2 className={classes.date}>{formatDayName(iso, now)}</h2>
      {isWhole && (
        <span className={classes.counts}>
          {countOf(conversations, 'conversation', 'conversations')}
          {facts > 0 && `, ${countOf(facts, 'fact', 'facts')}`}
        </span>
      )}
    </div>
  )
}
