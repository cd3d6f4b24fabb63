import type { Turn } from '@loci/contract/conversations'
import { UnstyledButton } from '@mantine/core'
import { useContext, useState } from 'react'
import { formatTime } from '../../lib/format.ts'
import { formatExact } from '../../lib/relative-time.ts'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { CutNote } from './cut-note.tsx'
import { contains } from './find.rules.ts'
import { SoughtText } from './found-words.tsx'
import classes from './turn.module.css'
import { type Quote, TurnText } from './turn-text.tsx'

const charsAtFirst = 4_000

type TurnProps = {
  turn: Turn
  agent: string
  /** The same side spoke last. */
  isContinued: boolean
  /** A link leads to it. */
  isHere: boolean
  quotes: readonly Quote[]
  activeId: string | undefined
}

/** What a person or an agent said. */
export function SaidTurn({ turn, agent, isContinued, isHere, quotes, activeId }: TurnProps) {
  const { id, at, role, text, cut } = turn
  const [isWhole, setWhole] = useState(text.length <= charsAtFirst)
  const isSoughtBelow = contains(text.slice(charsAtFirst), useContext(SoughtText))
  const isShown = isWhole || isSoughtBelow
  const isAgent = role === 'agent'
  const name = isAgent ? agent : 'Person'
  const time = (
    <time dateTime={at} title={formatExact(at)}>
      {formatTime(at)}
    </time>
  )
  return (
    <div id={id} className={classes.turn} data-here={isHere || undefined} tabIndex={-1}>
      <span className={classes.at}>{time}</span>
      <span className={classes.mark}>{!isContinued && <WriterMark name={name} isAgent={isAgent} />}</span>
      <div className={classes.said} data-role={role}>
        <span className={isContinued ? 'loci-unseen' : classes.head}>
          <bdi className={classes.name}>{name}</bdi>
          <span className={classes.time} aria-hidden>
            {formatTime(at)}
          </span>
        </span>
        <div className={classes.text} dir="auto">
          <TurnText
            text={isShown ? text : `${text.slice(0, charsAtFirst)}…`}
            quotes={quotes}
            activeId={activeId}
          />
        </div>
        {!isShown && (
          <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
            Show all
          </UnstyledButton>
        )}
        {cut !== undefined && <CutNote cut={cut} />}
      </div>
    </div>
  )
}
