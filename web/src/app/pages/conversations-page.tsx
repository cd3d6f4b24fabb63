import { Button, Skeleton } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ConversationFacets } from '../../features/conversations/conversation-facets.tsx'
import { ConversationList } from '../../features/conversations/conversation-list.tsx'
import { ConversationSearchBox } from '../../features/conversations/conversation-search-box.tsx'
import {
  useConversationCounts,
  useConversations,
} from '../../features/conversations/conversations.queries.ts'
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
  const query = useConversations(filter)
  const { data: counts } = useConversationCounts()
  const change = (part: Partial<ConversationFilter>) =>
    void navigate({ search: (was) => ({ ...was, ...part }), resetScroll: false })
  const isFiltered = filterNames.some((name) => filter[name] !== undefined)
  const isEmpty = query.data?.pages.every(({ conversations }) => conversations.length === 0)
  if (isEmpty && !isFiltered && !query.hasNextPage) return <NoConversations />
  return (
    <>
      <ConversationSearchBox
        query={filter.query ?? ''}
        onSearch={(text) => change({ query: text || undefined })}
      />
      <div className={classes.columns}>
        <ConversationFacets filter={filter} counts={counts} onChange={change} />
        <div className={classes.list}>
          <p className={classes.summary} role="status">
            {counts && (
              <>
                <b>{countOf(counts.conversations, 'conversation', 'conversations')}</b>
                {countOf(counts.turns, 'turn', 'turns')} · {formatBytes(counts.bytes)}
              </>
            )}
          </p>
          {query.error && !query.isFetchNextPageError && (
            <ErrorAlert message="Could not load the conversations." onRetry={() => void query.refetch()} />
          )}
          {query.isPending && <LoadingText shape={<Shape />}>Loading conversations...</LoadingText>}
          {isEmpty && !query.hasNextPage && <NothingFound onClear={() => void navigate({ search: {} })} />}
          {query.data && !isEmpty && <ConversationList query={query} />}
        </div>
      </div>
    </>
  )
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
