import type { Understanding } from '@loci/contract/search'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { spanOfDays } from '../../ui/span-of-days.ts'
import classes from './understood.module.css'

/** How the server interpreted the query, if that is not obvious. */
export function Understood({ understood }: { understood: Understanding }) {
  const { times = [], guesses = [], near = [], unknown = [], listed } = understood
  const rows: { key: string; text: ReactNode }[] = [
    ...times.map(({ from, to }) => ({ key: `${from} ${to}`, text: <>Time: {spanOfDays(from, to)}</> })),
    ...(listed
      ? [
          {
            key: 'listed',
            text: (
              <>
                All of type <b>{listed.types.join(', ')}</b>: {formatNumber(listed.total)}
              </>
            ),
          },
        ]
      : []),
    ...guesses.map(({ word, taken }) => ({
      key: `guess ${word}`,
      text: (
        <>
          No match for “<bdi>{word}</bdi>”; searched for <b>{taken.slice(0, 3).join(', ')}</b>
        </>
      ),
    })),
    ...near.map(({ word, entities }) => ({
      key: `near ${word}`,
      text: (
        <>
          Similar to “<bdi>{word}</bdi>”: <b>{entities.map(({ name }) => name).join(', ')}</b>
        </>
      ),
    })),
    ...unknown.map((word) => ({
      key: `unknown ${word}`,
      text: (
        <>
          No match for “<bdi>{word}</bdi>”
        </>
      ),
    })),
  ]
  if (rows.length === 0) return null
  return (
    <ul className={classes.rows} aria-label="How the query was interpreted">
      {rows.map(({ key, text }) => (
        <li key={key} className={classes.row}>
          {text}
        </li>
      ))}
    </ul>
  )
}
