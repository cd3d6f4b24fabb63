import type { KeptUnderstanding } from '@loci/contract/recalls'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Panel } from '../../ui/frame.tsx'
import { spanOfDays } from '../../ui/span-of-days.ts'
import classes from './replay.module.css'

type UnderstoodProps = { understood: KeptUnderstanding; bound: number; missed: number; told: number }

/** How the question was read, as far as that is not obvious, and where the answer ended. */
export function UnderstoodPanel({ understood, bound, missed, told }: UnderstoodProps) {
  const { times = [], guesses = [], unknown = [], listed } = understood
  const rows: [string, ReactNode][] = []
  if (guesses.length + unknown.length > 0) {
    rows.push([
      'Words',
      <span className={classes.words} key="words">
        {guesses.map(({ word, taken }) => (
          <span key={word} className={classes.word}>
            <bdi>{word}</bdi> <span>read as {taken.slice(0, 3).join(', ')}</span>
          </span>
        ))}
        {unknown.map((word) => (
          <span key={word} className={classes.word}>
            <bdi>{word}</bdi> <span>not in this memory</span>
          </span>
        ))}
      </span>,
    ])
  }
  if (listed !== undefined)
    rows.push(['Asks for', `all of type ${listed.types.join(', ')} (${formatNumber(listed.total)})`])
  rows.push([
    'Time',
    times.length === 0 ? 'No date' : times.map(({ from, to }) => spanOfDays(from, to)).join('; '),
  ])
  rows.push(['Answer', answerOf(told, missed)])
  if (bound > 0) rows.push(['Bound', `${formatNumber(bound)} tokens`])
  return (
    <Panel title="How it was understood">
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function answerOf(told: number, missed: number): string {
  const rest = missed === 0 ? 'nothing left over' : `${formatNumber(missed)} more found`
  return `${formatNumber(told)} handed over, ${rest}`
}
