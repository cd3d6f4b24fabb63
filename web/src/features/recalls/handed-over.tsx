import type { Replay, ReplayedRow } from '@loci/contract/recalls'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { countOf, formatNumber } from '../../lib/format.ts'
import { Panel } from '../../ui/frame.tsx'
import rowsUi from '../../ui/rows.module.css'
import { TypeDot } from '../../ui/type-badge.tsx'
import { useTypeColors } from '../../ui/type-colors.tsx'
import type { Fault } from './mend-form.tsx'
import type { RowMark } from './recall-words.ts'
import classes from './replay.module.css'
import { Reason, ReplayRow } from './replay-row.tsx'

type Answer = Pick<Replay, 'rows' | 'missed' | 'entities' | 'tokens' | 'maxTokens' | 'found'>
export type Chosen = { rank: number; fault?: Fault | undefined }

type HandedProps = {
  answer: Answer
  /** Set after the question was asked again. */
  marks: ReadonlyMap<string, RowMark>
  /** Rows of the earlier answer that are no longer handed over. */
  gone: readonly ReplayedRow[]
  chosen: Chosen
  mayMend: boolean
  onChoose: (chosen: Chosen) => void
}

/** The rows in the order in which they were handed over. */
export function HandedOver({ answer, marks, gone, chosen, mayMend, onChoose }: HandedProps) {
  const { rows, entities, tokens, maxTokens, found } = answer
  return (
    <Panel
      title="Handed over"
      description={rows.length > 1 && 'in this order'}
      flush
      aside={found && tokens > 0 && <TokenBar rows={rows} tokens={tokens} bound={maxTokens} />}
    >
      {!found && gone.length === 0 && <p className={rowsUi.nothing}>Nothing was handed over.</p>}
      <ol className={classes.rows}>
        {[...rows, ...gone].map((row) => {
          const mark = marks.get(row.observationId)
          const isChosen = mark !== 'gone' && chosen.rank === row.rank
          return (
            <ReplayRow
              key={row.observationId}
              row={row}
              mark={mark}
              isChosen={isChosen}
              fault={isChosen ? chosen.fault : undefined}
              mayMend={mayMend}
              onChoose={() => isChosen || onChoose({ rank: row.rank })}
              onFault={(fault) => onChoose({ rank: row.rank, fault })}
            />
          )
        })}
      </ol>
      {rows.length === 0 && entities.length > 0 && (
        <>
          <p className={rowsUi.nothing}>{countOf(entities.length, 'entity', 'entities')}, whole:</p>
          <ul className={classes.entities}>
            {entities.map(({ id, name, type }) => (
              <li key={id}>
                <Link to="/entities/$entityId" params={{ entityId: id }} className={classes.entity}>
                  <TypeDot type={type} /> <bdi>{name}</bdi>
                </Link>{' '}
                <span className={classes.type}>{type}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

/** How the tokens divide over the rows. */
type BarProps = { rows: readonly ReplayedRow[]; tokens: number; bound: number }

function TokenBar({ rows, tokens, bound }: BarProps) {
  const colorOf = useTypeColors()
  return (
    <span className={classes.bar}>
      <span className={classes.track} aria-hidden>
        {rows.map(({ observationId, tokens: own, entity }) => (
          <span
            key={observationId}
            style={{
              width: `${(100 * own) / Math.max(tokens, bound, 1)}%`,
              background: entity ? colorOf(entity.type).color : 'var(--loci-wall)',
            }}
          />
        ))}
      </span>
      {bound > 0
        ? `${formatNumber(tokens)} of ${formatNumber(bound)} tokens`
        : `${formatNumber(tokens)} tokens`}
    </span>
  )
}

const missedAtFirst = 2

/** What was found and came too late for the answer. */
export function NotHandedOver({ missed }: { missed: readonly ReplayedRow[] }) {
  const [isOpen, setOpen] = useState(false)
  if (missed.length === 0) return null
  const shown = isOpen ? missed : missed.slice(0, missedAtFirst)
  const rest = missed.length - shown.length
  return (
    <section className={classes.missed} aria-label="Not handed over">
      <header>
        <h2>Not handed over</h2>
        <span>
          The next {shown.length === 1 ? 'one' : formatNumber(shown.length)}, after the answer was full
        </span>
        {rest > 0 && (
          <button type="button" className={rowsUi.more} onClick={() => setOpen(true)}>
            Show {rest} more
          </button>
        )}
      </header>
      <ol>
        {shown.map((row) => (
          <li key={row.observationId}>
            <span className={classes.rank} data-missed>
              <span>{row.rank}</span>
            </span>
            <p className={classes.text} dir="auto">
              {row.entity ? (
                <>
                  <Link
                    to="/entities/$entityId"
                    params={{ entityId: row.entity.id }}
                    className={classes.entity}
                  >
                    <bdi>{row.entity.name}</bdi>
                  </Link>{' '}
                  {row.content}
                </>
              ) : (
                'Forgotten since'
              )}
            </p>
            <Reason row={row} />
          </li>
        ))}
      </ol>
    </section>
  )
}
