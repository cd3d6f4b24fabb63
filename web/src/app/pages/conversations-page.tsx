import { type ConversationCounts, countedFactsMax } from '@loci/contract/conversation-counts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconFileImport, IconSettings } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConversationFacets } from '../../features/conversations/conversation-facets.tsx'
import { ConversationList } from '../../features/conversations/conversation-list.tsx'
import { ConversationSearchBox } from '../../features/conversations/conversation-search-box.tsx'
import {
  conversationsOf,
  useConversationCounts,
  useConversations,
  useTurnSearch,
} from '../../features/conversations/conversations.queries.ts'
import { orderIn } from '../../features/conversations/conversations.rules.ts'
import { TurnResults } from '../../features/conversations/turn-results.tsx'
import type { ConversationFilter } from '../../lib/filters.ts'
import { countOf, formatBytes, formatNumber } from '../../lib/format.ts'
import { useMay } from '../../lib/rights.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Page } from '../../ui/page.tsx'
import { ConversationImport } from './conversation-import.tsx'
import classes from './conversations-page.module.css'

const route = getRouteApi('/app/conversations')

/** What people and their agents said, by project, agent and day. */
export function ConversationsPage() {
  const mayRead = useMay('conversations:read')
  const mayWrite = useMay('conversations:write')
  const [isImporting, setImporting] = useState(false)
  return (
    <Page
      title="Conversations"
      subtitle="What you and your agents said, word for word. It stands beside the memory and is never part of it."
      actions={
        mayRead && (
          <>
            <Button
              variant="default"
              leftSection={<IconSettings size={16} />}
              renderRoot={(props) => <Link {...props} to="/settings" hash="conversations" />}
            >
              Storage and retention
            </Button>
            {mayWrite && (
              <Button
                variant="default"
                leftSection={<IconFileImport size={16} />}
                onClick={() => setImporting(true)}
              >
                Import
              </Button>
            )}
          </>
        )
      }
    >
      {mayRead ? (
        <Conversations onImport={mayWrite ? () => setImporting(true) : undefined} />
      ) : (
        <NotAllowed />
      )}
      <ConversationImport opened={isImporting} onClose={() => setImporting(false)} />
    </Page>
  )
}

const NotAllowed = () => <EmptyState title="You can read this memory, but not its conversations." />

type ConversationsProps = { onImport: (() => void) | undefined }

function Conversations({ onImport }: ConversationsProps) {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/conversations' })
  const { data: counts } = useConversationCounts()
  const change = (part: Partial<ConversationFilter>) =>
    void navigate({ search: (was) => ({ ...was, ...part }), resetScroll: false })
  if (counts?.conversations === 0 && !isFiltered(filter)) return <NoConversations onImport={onImport} />
  const clear = () => void navigate({ search: {} })
  return (
    <>
      <ConversationSearchBox
        query={filter.query ?? ''}
        onSearch={(text) => change({ query: text || undefined })}
      />
      <div className={classes.columns}>
        <ConversationFacets filter={filter} counts={counts} onChange={change} />
        <div className={classes.list}>
          {filter.query === undefined ? (
            <Listed filter={filter} counts={counts} onClear={clear} onChange={change} />
          ) : (
            <Found filter={filter} onClear={clear} />
          )}
        </div>
      </div>
    </>
  )
}

type PartProps = { filter: ConversationFilter; onClear: () => void }

type ListedProps = PartProps & {
  counts: ConversationCounts | undefined
  onChange: (part: Partial<ConversationFilter>) => void
}

function Listed({ filter, counts, onClear, onChange }: ListedProps) {
  const query = useConversations(filter)
  const order = orderIn(filter.order)
  const isEmpty = query.data?.pages.every(({ conversations }) => conversations.length === 0)
  return (
    <>
      <div className={classes.head}>
        <p className={classes.summary} role="status">
          {counts &&
            (isFiltered(filter) ? (
              <Narrowed query={query} all={counts.conversations} />
            ) : (
              <Summary counts={counts} />
            ))}
        </p>
        <SegmentedControl
          aria-label="Group the list"
          value={order}
          onChange={(value) => onChange({ order: value === 'day' ? undefined : value })}
          data={[
            { value: 'day', label: 'By day' },
            { value: 'project', label: 'By project' },
            { value: 'agent', label: 'By agent' },
          ]}
        />
      </div>
      {query.error && !query.isFetchNextPageError && (
        <ErrorAlert message="Could not load the conversations." onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <LoadingText shape={<ListSkeleton />}>Loading conversations...</LoadingText>}
      {isEmpty && !query.hasNextPage && <NothingFound onClear={onClear} />}
      {query.data && !isEmpty && <ConversationList query={query} order={order} />}
    </>
  )
}

function Summary({
  counts: { conversations, isComplete, turns, bytes, facts },
}: {
  counts: ConversationCounts
}) {
  const led = countOf(facts, 'fact', 'facts')
  return (
    <>
      <b>
        {countOf(conversations, 'conversation', 'conversations')}
        {!isComplete && ' or more'}
      </b>
      {countOf(turns, 'turn', 'turns')} · {formatBytes(bytes)}
      {facts > 0 && ` · led to ${facts === countedFactsMax ? `${led} or more` : led}`}
    </>
  )
}

type NarrowedProps = { query: ReturnType<typeof useConversations>; all: number }

function Narrowed({ query: { data, hasNextPage }, all }: NarrowedProps) {
  if (data === undefined) return null
  const shown = countOf(conversationsOf(data).length, 'conversation', 'conversations')
  return (
    <>
      <b>{hasNextPage ? `${shown} or more` : shown}</b>of {formatNumber(all)}
    </>
  )
}

function Found({ filter, onClear }: PartProps) {
  const search = useTurnSearch(filter)
  if (search.error)
    return <ErrorAlert message="Could not search the conversations." onRetry={() => void search.refetch()} />
  if (!search.data) return <LoadingText shape={<ListSkeleton />}>Searching...</LoadingText>
  if (search.data.turns.length === 0) return <NothingFound onClear={onClear} />
  return <TurnResults hits={search.data.turns} total={search.data.total} />
}

const filterNames = ['query', 'project', 'agent', 'file', 'after', 'before', 'only'] as const
const isFiltered = (filter: ConversationFilter) => filterNames.some((name) => filter[name] !== undefined)

const NoConversations = ({ onImport }: ConversationsProps) => (
  <EmptyState
    title="No conversations yet."
    text={
      <>
        Run <code className="loci-mono">loci connect</code> and choose the agents to follow.
      </>
    }
    action={
      onImport && (
        <Button variant="default" onClick={onImport}>
          Import from ChatGPT or Claude
        </Button>
      )
    }
  />
)

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    title="No conversations found"
    text="Try other words, or fewer filters."
    action={
      <Button variant="default" onClick={onClear}>
        Clear Filters
      </Button>
    }
  />
)
