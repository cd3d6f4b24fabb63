import type { TurnHit } from '@loci/contract/turn-search'
import { Link } from '@tanstack/react-router'
import { countOf, formatTime } from '../../lib/format.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { Highlighted } from '../../ui/highlighted.tsx'
import { markRemovals } from '../../ui/removed-mark.tsx'
import { TextMarks } from '../../ui/text-marks.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { type FoundConversation, groupHits, titleOf } from './conversations.rules.ts'
import classes from './turn-results.module.css'
import { useRowKeys } from './use-row-keys.ts'

const turnsShown = 2

/** What was found in what was said: each conversation with its best turns, their words marked. */
export function TurnResults({ hits, total }: { hits: readonly TurnHit[]; total: number }) {
  const found = groupHits(hits)
  useRowKeys(
    found.map(({ conversation }) => conversation),
    () => {},
  )
  return (
    <>
      <p className={classes.count} role="status">
        {countOf(total, 'turn', 'turns')} in {countOf(found.length, 'conversation', 'conversations')}
        {hits.length < total && `, of which the best ${hits.length} are shown`}
      </p>
      <ol className={classes.list} aria-label="Conversations">
        {found.map((one) => (
          <Found key={one.conversation.id} found={one} />
        ))}
      </ol>
    </>
  )
}

function Found({ found: { conversation, hits } }: { found: FoundConversation }) {
  const { id, agent, project, startedAt } = conversation
  const now = useNow()
  const title = titleOf(conversation)
  return (
    <li className={classes.found}>
      <div className={classes.head}>
        <WriterMark name={agent} isAgent />
        <span className="loci-unseen">{agent}</span>
        <Link
          to="/conversations/$conversationId"
          params={{ conversationId: id }}
          search={{ around: hits[0]!.id }}
          className={classes.title}
          title={title}
          data-conversation={id}
        >
          <bdi>
            <VisibleText text={title} />
          </bdi>
        </Link>
        <span className={classes.project}>
          <bdi>{project?.name ?? 'no project'}</bdi>
        </span>
        <time className={classes.when} dateTime={startedAt}>
          {formatDayName(startedAt, now)}
        </time>
      </div>
      {hits.slice(0, turnsShown).map((hit) => (
        <Said key={hit.id} hit={hit} conversationId={id} agent={agent} />
      ))}
      {hits.length > turnsShown && (
        <span className={classes.more}>{countOf(hits.length - turnsShown, 'more turn', 'more turns')}</span>
      )}
    </li>
  )
}

type SaidProps = { hit: TurnHit; conversationId: string; agent: string }

function Said({ hit, conversationId, agent }: SaidProps) {
  const { id, at, role, text, highlights, tool } = hit
  const who = role === 'person' ? 'Person' : role === 'agent' ? agent : (tool?.name ?? 'Tool')
  return (
    <Link
      to="/conversations/$conversationId"
      params={{ conversationId }}
      search={{ around: id }}
      className={classes.turn}
    >
      <span className={classes.who}>
        <bdi>{who}</bdi> <time dateTime={at}>{formatTime(at)}</time>
      </span>
      <span className={classes.text} dir="auto">
        <TextMarks value={markRemovals}>
          {text === '' ? (
            <code>{tool?.input ?? ''}</code>
          ) : (
            <Highlighted content={text} highlights={highlights} />
          )}
        </TextMarks>
      </span>
    </Link>
  )
}
