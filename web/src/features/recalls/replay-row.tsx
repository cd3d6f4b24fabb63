import type { ReplayedRow } from '@loci/contract/recalls'
import { Link } from '@tanstack/react-router'
import { countOf, formatNumber } from '../../lib/format.ts'
import { Highlighted } from '../../ui/highlighted.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { useTypeColors } from '../../ui/type-colors.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { type Fault, MendForm } from './mend-form.tsx'
import { matchedWords, type RowMark, reasonText } from './recall-words.ts'
import classes from './replay.module.css'

type RowProps = {
  row: ReplayedRow
  mark: RowMark | undefined
  /** Whether the keys act on it. */
  isChosen: boolean
  /** What is being mended, if anything. */
  fault: Fault | undefined
  mayMend: boolean
  onChoose: () => void
  onFault: (fault: Fault | undefined) => void
}

const faults: { fault: Fault; label: string }[] = [
  { fault: 'wrong', label: 'Wrong' },
  { fault: 'missing', label: 'Missing' },
  { fault: 'outdated', label: 'Outdated' },
]
const sinceText = { changed: 'Changed since', replaced: 'Replaced since', forgotten: 'Forgotten since' }
const markText: Record<RowMark, string> = { new: 'New', moved: 'Moved', gone: 'Gone' }

/** An observation that was handed over, why it came, and what is wrong with it. */
export function ReplayRow({ row, mark, isChosen, fault, mayMend, onChoose, onFault }: RowProps) {
  const { rank, entity, content, highlights = [], by, createdAt, since, tokens } = row
  const colorOf = useTypeColors()
  const isThere = entity !== undefined && content !== undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page's arrow keys do the same
    <li
      className={classes.row}
      data-row={rank}
      data-chosen={isChosen || undefined}
      data-gone={mark === 'gone' || undefined}
      style={{ animationDelay: `${Math.min(rank, 12) * 50}ms` }}
      aria-current={isChosen || undefined}
      onClick={onChoose}
    >
      <span
        className={classes.rank}
        style={isThere ? { borderColor: colorOf(entity.type).color } : undefined}
        data-empty={!isThere || undefined}
      >
        <span>{rank}</span>
      </span>
      <div className={classes.said}>
        <div className={classes.head}>
          {isThere ? (
            <>
              <Link to="/entities/$entityId" params={{ entityId: entity.id }} className={classes.entity}>
                <bdi>{entity.name}</bdi>
              </Link>
              <span className={classes.type}>{entity.type}</span>
              {by && <WriterBadge by={by} compact />}
              {createdAt && (
                <span className={classes.when}>
                  <TimeText iso={createdAt} />
                </span>
              )}
            </>
          ) : (
            <span className={classes.type}>This observation was deleted.</span>
          )}
          {since && <span className={classes.since}>{sinceText[since]}</span>}
          {mark && (
            <span className={classes.mark} data-mark={mark}>
              {markText[mark]}
            </span>
          )}
        </div>
        {isThere && (
          <p className={classes.text} dir="auto">
            <Highlighted content={content} highlights={highlights} />
          </p>
        )}
        <Reason row={row} />
      </div>
      <div className={classes.side}>
        {isThere && mayMend && mark !== 'gone' && (
          <fieldset className={classes.faults} aria-label={`What is wrong with row ${rank}`}>
            {faults.map(({ fault: own, label }) => (
              <button
                key={own}
                type="button"
                aria-pressed={fault === own}
                onClick={(event) => {
                  event.stopPropagation()
                  onFault(fault === own ? undefined : own)
                }}
              >
                {label}
              </button>
            ))}
          </fieldset>
        )}
        <span className={classes.tokens}>{formatNumber(tokens)} tokens</span>
      </div>
      {isThere && fault && (
        <MendForm
          key={fault}
          fault={fault}
          row={{ ...row, entity, content }}
          onClose={() => onFault(undefined)}
        />
      )}
    </li>
  )
}

/** `Your words, 3 of them` */
export function Reason({ row: { reason, content, highlights = [] } }: { row: ReplayedRow }) {
  const words = content === undefined ? 0 : matchedWords(content, highlights)
  return (
    <p className={classes.reason}>
      <b>{reasonText[reason]}</b>
      {words > 0 && reason === 'words' && `: ${countOf(words, 'word', 'words')} of the question`}
      {words > 0 && reason !== 'words' && `, and ${countOf(words, 'word', 'words')} of the question`}
      {words === 0 && reason === 'words' && content !== undefined && ', in what it belongs to'}
    </p>
  )
}
