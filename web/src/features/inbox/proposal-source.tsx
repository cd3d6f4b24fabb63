import { Link } from '@tanstack/react-router'
import { useMay } from '../../lib/rights.ts'
import { markRemovals } from '../../ui/removed-mark.tsx'
import { TextMarks } from '../../ui/text-marks.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterBadge, WriterMark } from '../../ui/writer-badge.tsx'
import classes from './inbox.module.css'
import { useSourceTurn } from './inbox.queries.ts'
import type { Item } from './inbox.rules.ts'

type SourceProps = {
  proposal: Item
  /** Only then is the turn loaded that it rests on. */
  isFocused: boolean
}

/** Where a proposal is from: the words that were said, or at least who proposed it and when. */
export function ProposalSource({ proposal: { source, by, at, tool, draft }, isFocused }: SourceProps) {
  const mayRead = useMay('conversations:read')
  const { data: turn } = useSourceTurn(isFocused && source ? source : {})
  const { conversationId, turnId, quote, title, url } = source ?? {}
  const role = turn?.role ?? draft?.by.role
  const said = turn?.text ?? quote ?? title ?? url
  return (
    <div className={classes.source}>
      <div className={classes.sourceHead}>
        {role ? (
          <>
            <WriterMark name={role === 'person' ? 'Person' : 'Agent'} isAgent={role !== 'person'} />
            <span>
              {role === 'person' ? 'Person' : role === 'agent' ? 'Agent' : (turn?.tool?.name ?? 'Tool')}
            </span>
          </>
        ) : (
          <WriterBadge by={by} />
        )}
        <TimeText iso={turn?.at ?? at} />
        <span className={classes.kind} data-draft={draft && true}>
          {draft ? 'Draft' : 'Proposal'}
        </span>
      </div>
      {said ? (
        <div className={classes.said} dir="auto">
          <TextMarks value={markRemovals}>
            <Quoted text={said} quote={turn ? quote : undefined} />
          </TextMarks>
        </div>
      ) : (
        tool && <code className={classes.what}>{tool}</code>
      )}
      {conversationId && mayRead && (
        <Link
          to="/conversations/$conversationId"
          params={{ conversationId }}
          search={{ around: turnId }}
          className={classes.open}
          data-open
        >
          Open the conversation
        </Link>
      )}
    </div>
  )
}

function Quoted({ text, quote }: { text: string; quote: string | undefined }) {
  const at = quote ? text.indexOf(quote) : -1
  if (quote === undefined || at === -1) return <VisibleText text={text} />
  return (
    <>
      <VisibleText text={text.slice(0, at)} />
      <span data-quote>
        <VisibleText text={quote} />
      </span>
      <VisibleText text={text.slice(at + quote.length)} />
    </>
  )
}
