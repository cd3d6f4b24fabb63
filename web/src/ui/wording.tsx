import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { cutPieces, diffWording, type Piece } from '../lib/wording-diff.ts'
import { plainText } from './markdown/plain-text.ts'
import { VisibleText } from './visible-text.tsx'
import classes from './wording.module.css'

type State = Record<string, unknown> | null

type WordingProps = {
  before: State
  after: State
  field: string
  /** So many characters of each stretch are shown until the reader asks for all. */
  charsAtFirst?: number
}

/** A field before and after a change, with the words that differ marked. */
export function Wording({ before, after, field, charsAtFirst = Number.POSITIVE_INFINITY }: WordingProps) {
  const [isWhole, setWhole] = useState(false)
  const pieces = toPieces(before, after, field)
  const isCut = !isWhole && pieces.some(({ text }) => text.length > charsAtFirst)
  return (
    <>
      {(isCut ? cutPieces(pieces, charsAtFirst) : pieces).map(({ kind, text }, index) => {
        const Element = elements[kind]
        return (
          <Element key={`${index} ${kind}`}>
            <VisibleText text={text} />
          </Element>
        )
      })}
      {isCut && (
        <>
          {' '}
          <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
            Show all
          </UnstyledButton>
        </>
      )}
    </>
  )
}

const elements = { removed: 'del', added: 'ins', same: 'span' } as const

/** One piece if the field was only written or only removed. */
function toPieces(before: State, after: State, field: string): Piece[] {
  const written = [before?.[field], after?.[field]].map((text) =>
    text === undefined ? undefined : String(text),
  )
  const plain = field === 'content' ? written.map((text) => text && plainText(text)) : written
  // The signs of Markdown may be all that an edit changed.
  const [old, now] = plain[0] === plain[1] ? written : plain
  if (old !== undefined && now !== undefined) return diffWording(old, now)
  return [{ kind: 'same', text: now ?? old ?? '' }]
}
