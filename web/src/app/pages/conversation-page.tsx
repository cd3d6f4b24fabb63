import type { Conversation, Turn } from '@loci/contract/conversations'
import type { Draft } from '@loci/contract/drafts'
import type { Proposal } from '@loci/contract/proposals'
import { Skeleton } from '@mantine/core'
import { IconFolder, IconGitBranch } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { ConversationActions } from '../../features/conversations/conversation-actions.tsx'
import { ConversationView } from '../../features/conversations/conversation-view.tsx'
import {
  turnsOf,
  useConversation,
  useConversationDrafts,
  useConversationFacts,
  useConversationProposals,
} from '../../features/conversations/conversations.queries.ts'
import { isGoingOn, removedFrom, spanOf, titleOf } from '../../features/conversations/conversations.rules.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { countOf, formatBytes } from '../../lib/format.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { useMay } from '../../lib/rights.ts'
import { useNow } from '../../lib/use-now.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { useDocumentTitle } from '../../ui/page.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { BackButton } from './back-button.tsx'
import classes from './conversation-page.module.css'

const noDrafts: Draft[] = []
const noProposals: Proposal[] = []
const inPlace = { replace: true, resetScroll: false }

const route = getRouteApi('/app/conversations/$conversationId')

/** One conversation, to see where facts are from. */
export function ConversationPage() {
  const { conversationId } = route.useParams()
  const { around, find } = route.useSearch()
  if (!useMay('conversations:read'))
    return (
      <Frame title="Conversation">
        <EmptyState title="You can read this memory, but not its conversations." />
      </Frame>
    )
  // Another turn is another place in it, read from there.
  return <Loading key={`${conversationId} ${around}`} id={conversationId} around={around} sought={find} />
}

type LoadingProps = { id: string; around: string | undefined; sought: string | undefined }

function Loading({ id, around, sought }: LoadingProps) {
  const navigate = useNavigate({ from: '/conversations/$conversationId' })
  const find = {
    text: sought,
    search: (text: string | undefined) =>
      void navigate({ search: (was) => ({ ...was, find: text }), ...inPlace }),
    open: (turnId: string) => void navigate({ search: (was) => ({ ...was, around: turnId }), ...inPlace }),
  }
  const query = useConversation(id, around)
  const facts = useConversationFacts(id)
  const { data: drafts = noDrafts } = useConversationDrafts(id)
  const { data: proposals = noProposals } = useConversationProposals(id)
  const turns = useMemo(() => turnsOf(query.data), [query.data])
  const conversation = query.data?.pages.at(-1)?.conversation
  if (conversation !== undefined)
    return (
      <Frame
        title={titleOf(conversation)}
        about={<About conversation={conversation} turns={turns} />}
        actions={
          <ConversationActions
            conversation={conversation}
            onRemoved={() => void navigate({ to: '/conversations', search: {} })}
          />
        }
      >
        <ConversationView
          conversation={conversation}
          turns={turns}
          query={query}
          facts={facts}
          drafts={drafts}
          proposals={proposals}
          around={around}
          find={find}
        />
      </Frame>
    )
  if (isApiError(query.error, 'conversation_not_found', 'turn_not_found'))
    return (
      <Frame title="Conversation">
        <EmptyState
          title="Conversation not found"
          text="It may have been deleted, or belong to another memory."
        />
      </Frame>
    )
  return (
    <Frame title="Conversation">
      {query.error ? (
        <ErrorAlert
          message={messageOf(query.error, 'Could not load the conversation.')}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <LoadingText shape={<Shape />}>Loading the conversation...</LoadingText>
      )}
    </Frame>
  )
}

type FrameProps = {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

function Frame({ title, about, actions, children }: FrameProps) {
  useDocumentTitle(title)
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <BackButton to="/conversations" label="Conversations" />
          <h1 className={classes.title}>
            <bdi>
              <VisibleText text={title} />
            </bdi>
          </h1>
          {about}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

function About({ conversation, turns }: { conversation: Conversation; turns: readonly Turn[] }) {
  const { agent, project, endedAt, bytes } = conversation
  const now = useNow()
  const removed = turns.length === conversation.turns ? removedFrom(turns) : 0
  return (
    <div className={classes.facts}>
      <span className={classes.fact}>
        <WriterMark name={agent} isAgent />
        <bdi>{agent}</bdi>
      </span>
      {project && (
        <span className={classes.fact} title={project.path}>
          <IconFolder size={14} aria-hidden />
          <bdi className={classes.mono}>{project.name}</bdi>
        </span>
      )}
      {project?.branch && (
        <span className={classes.fact}>
          <IconGitBranch size={14} aria-hidden />
          <bdi className={classes.mono}>{project.branch}</bdi>
        </span>
      )}
      <span>
        {formatDayName(endedAt, now)},{' '}
        {isGoingOn(conversation, now) ? 'going on now' : spanOf(conversation, now)}
      </span>
      <span>
        {countOf(conversation.turns, 'turn', 'turns')}, {formatBytes(bytes)}
      </span>
      {removed > 0 && <span>{countOf(removed, 'secret', 'secrets')} removed before storing</span>}
    </div>
  )
}

const Shape = () => (
  <div className={classes.shape}>
    {['62%', '88%', '70%', '92%', '54%', '80%'].map((width) => (
      <Skeleton key={width} height={38} width={width} radius="md" />
    ))}
  </div>
)
