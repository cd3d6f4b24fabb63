import type { ConversationCounts } from '@loci/contract/conversation-counts'
import { Button, Skeleton } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ConversationFacets } from '../../features/conversations/conversation-facets.tsx'
import { ConversationList } from '../../features/conversations/conversation-list.tsx'
import { ConversationSearchBox } from '../../features/conversations/conversation-search-box.tsx'
import {
  useConversationCounts,
  useConversations,
  useTurnSearch,
} from '../../features/conversations/conversations.queries.ts'
import { TurnResults } from '../../features/conversations/turn-results.tsx'
import type { ConversationFilter } from '../../lib/filters.ts'
import { countOf, formatBytes } from '../../lib/format.ts'
import { useMay } from '../../lib/rights.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './conversations-page.module.css'

const route = getRouteApi('/app/conversations')

/** What people and their agents said, by project, agent and day. */
export function ConversationsPage() {
  const mayRead = useMay('conversations:read')
  return (
    <Page
      title="Conversations"
      subtitle="What you and your agents said, word for word. It stands beside the memory and is never part of it."
      actions={
        mayRead && (
          <Button
            variant="default"
            leftSection={<IconSettings size={16} />}
            renderRoot={(props) => <Link {...props} to="/settings" hash="conversations" />}
          >
            Storage and retention
          </Button>
        )
      }
    >
      {mayRead ? <Conversations /> : <NotAllowed />}
    </Page>
  )
}

const NotAllowed = () => <EmptyState title="You can read this memory, but not its conversations." />

function Conversations() {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/conversations' })
  const { data: counts } = useConversationCounts()
  const change = (part: Partial<ConversationFilter>) =>
    void navigate({ search: (was) => ({ ...was, ...part }), resetScroll: false })
  const isFiltered = filterNames.some((name) => filter[name] !== undefined)
  if (counts?.conversations === 0 && !isFiltered) return <NoConversations />
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
            <Listed filter={filter} counts={counts} onClear={clear} />
          ) : (
            <Found filter={filter} onClear={clear} />
          )}
        </div>
      </div>
    </>
  )
}

type PartProps = { filter: ConversationFilter; onClear: () => void }

function Listed({ filter, counts, onClear }: PartProps & { counts: ConversationCounts | undefined }) {
  const query = useConversations(filter)
  const isEmpty = query.data?.pages.every(({ conversations }) => conversations.length === 0)
  return (
    <>
      <p className={classes.summary} role="status">
        {counts && (
          <>
            <b>
              {countOf(counts.conversations, 'conversation', 'conversations')}
              {!counts.isComplete && ' or more'}
            </b>
            {countOf(counts.turns, 'turn', 'turns')} · {formatBytes(counts.bytes)}
          </>
        )}
      </p>
      {query.error && !query.isFetchNextPageError && (
        <ErrorAlert message="Could not load the conversations." onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <LoadingText shape={<Shape />}>Loading conversations...</LoadingText>}
      {isEmpty && !query.hasNextPage && <NothingFound onClear={onClear} />}
      {query.data && !isEmpty && <ConversationList query={query} />}
    </>
  )
}

function Found({ filter, onClear }: PartProps) {
  const search = useTurnSearch(filter)
  if (search.error)
    return <ErrorAlert message="Could not search the conversations." onRetry={() => void search.refetch()} />
  if (!search.data) return <LoadingText shape={<Shape />}>Searching...</LoadingText>
  if (search.data.turns.length === 0) return <NothingFound onClear={onClear} />
  return <TurnResults hits={search.data.turns} total={search.data.total} />
}

const filterNames = ['query', 'project', 'agent', 'file', 'after', 'before'] as const

const NoConversations = () => (
  <EmptyState
    title="No conversations yet."
    text={
      <>
        Run <code className="loci-mono">loci connect</code> and choose the agents to follow.
      </>
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

const Shape = () => (
  <div className={classes.shape}>
    {Array.from({ length: 8 }, (_, index) => (
      <Skeleton key={index} height={40} radius="sm" />
    ))}
  </div>
)
