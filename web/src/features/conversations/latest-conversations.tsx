import { Link } from '@tanstack/react-router'
import { countOf, formatBytes } from '../../lib/format.ts'
import { useMay } from '../../lib/rights.ts'
import { Panel } from '../../ui/frame.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useConversationCounts, useLatestConversation } from './conversations.queries.ts'
import { titleOf } from './conversations.rules.ts'
import classes from './latest-conversations.module.css'

/** On the dashboard: how many conversations there are, and the newest. Nothing before there are any. */
export function LatestConversations() {
  const mayRead = useMay('conversations:read')
  const { data: counts } = useConversationCounts()
  const { data: latest } = useLatestConversation()
  if (!mayRead || !counts || counts.conversations === 0 || !latest) return null
  const title = titleOf(latest)
  return (
    <Panel
      title="Conversations"
      description={`${countOf(counts.conversations, 'conversation', 'conversations')}, ${formatBytes(counts.bytes)}`}
      aside={
        <Link to="/conversations" className={rows.more}>
          View All
        </Link>
      }
    >
      <p className={classes.latest}>
        <Link
          to="/conversations/$conversationId"
          params={{ conversationId: latest.id }}
          search={{ around: undefined }}
          className={classes.title}
          title={title}
        >
          <bdi>
            <VisibleText text={title} />
          </bdi>
        </Link>
        <span className={classes.facts}>
          <bdi>{latest.agent}</bdi>, <TimeText iso={latest.endedAt} inline />
        </span>
      </p>
    </Panel>
  )
}
