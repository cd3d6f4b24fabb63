import type { Conversation, ConversationOrder } from '@loci/contract/conversations'
import { IconGitBranch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { countOf, formatBytes, formatNumber } from '../../lib/format.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import classes from './conversation-list.module.css'
import { isGoingOn, spanOf, titleOf } from './conversations.rules.ts'

type RowProps = { conversation: Conversation; order: ConversationOrder }

/** A conversation: what it was about, what it led to, and when it was. */
export function ConversationRow({ conversation, order }: RowProps) {
  const { id, agent, project, facts, toDecide = 0, turns, bytes, endedAt } = conversation
  const now = useNow()
  const isLive = isGoingOn(conversation, now)
  const title = titleOf(conversation)
  return (
    <div className={classes.row}>
      <WriterMark name={agent} isAgent />
      <span className="loci-unseen">{agent}</span>
      <div className={classes.main}>
        <div className={classes.head}>
          {isLive && <span className={classes.live} aria-hidden />}
          <Link
            to="/conversations/$conversationId"
            params={{ conversationId: id }}
            search={{ around: undefined }}
            className={classes.title}
            title={title}
            data-conversation={id}
          >
            <bdi>
              <VisibleText text={title} />
            </bdi>
          </Link>
        </div>
        <div className={classes.second}>
          <span className={classes.project} title={project?.path}>
            <bdi>{project?.name ?? 'no project'}</bdi>
          </span>
          {project?.branch && (
            <span className={classes.branch} title={project.branch}>
              <IconGitBranch size={12} aria-hidden />
              <bdi>{project.branch}</bdi>
            </span>
          )}
          <LedTo conversation={conversation} />
        </div>
      </div>
      <span className={classes.number} data-none={facts === 0 || undefined} aria-hidden>
        {formatNumber(facts)}
      </span>
      <span className={classes.number} data-none={toDecide === 0 || undefined}>
        {toDecide === 0 ? (
          <span aria-hidden>–</span>
        ) : (
          <span className={classes.waiting}>
            {formatNumber(toDecide)}
            <span className={classes.words}> to decide</span>
          </span>
        )}
      </span>
      <span className={classes.number} data-weak>
        {formatNumber(turns)} <span className="loci-unseen">turns</span>
      </span>
      <span className={classes.number} data-weak>
        {formatBytes(bytes)}
      </span>
      <time className={classes.when} dateTime={endedAt}>
        {whenOf(conversation, order, now)}
      </time>
    </div>
  )
}

const whenOf = (conversation: Conversation, order: ConversationOrder, now: number): string => {
  if (isGoingOn(conversation, now)) return 'going on now'
  return order === 'day' ? spanOf(conversation, now) : formatDayName(conversation.endedAt, now)
}

/** Names that have room beside project and branch. */
const namesShown = 2

/** How many facts it led to, and on which entities. */
function LedTo({ conversation }: { conversation: Conversation }) {
  const { facts, ledToCount = 0 } = conversation
  const ledTo = conversation.ledTo?.slice(0, namesShown) ?? []
  if (facts === 0) return <span className={classes.led}>Nothing kept yet</span>
  if (ledTo.length === 0) return <span className={classes.led}>Led to {countOf(facts, 'fact', 'facts')}</span>
  const more = ledToCount - ledTo.length
  return (
    <span className={classes.led}>
      <span className="loci-unseen">Led to {countOf(facts, 'fact', 'facts')} on </span>
      {ledTo.map(({ id, name, type }) => (
        <span key={id} className={classes.entity} title={name}>
          <TypeDot type={type} />
          <bdi>
            <VisibleText text={name} />
          </bdi>
        </span>
      ))}
      {more > 0 && (
        <span className={classes.moreLed}>
          {`+${formatNumber(more)}`}
          <span className="loci-unseen"> more</span>
        </span>
      )}
    </span>
  )
}
