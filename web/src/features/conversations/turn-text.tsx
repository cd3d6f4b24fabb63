import { Fragment, type ReactNode, useCallback } from 'react'
import { RichText } from '../../ui/markdown/rich-text.tsx'
import { splitAtRemovals } from '../../ui/removals.ts'
import { RemovedMark } from '../../ui/removed-mark.tsx'
import { TextMarks } from '../../ui/text-marks.tsx'
import { FoundWords } from './found-words.tsx'
import classes from './turn.module.css'

export type Quote = { factId: string; words: string }

type TextProps = {
  text: string
  /** Words that facts rest on. */
  quotes?: readonly Quote[]
  /** The fact in focus. */
  activeId?: string | undefined
}

/** What was said, with marks for what was removed and for the words that facts rest on. */
export function TurnText({ text, quotes = [], activeId }: TextProps) {
  const mark = useCallback(
    (part: string, show: (part: string) => ReactNode) =>
      splitAtRemovals(part).map((piece, index) => (
        <Fragment key={index}>
          {'removed' in piece ? (
            <RemovedMark kind={piece.removed} />
          ) : (
            withQuotes(piece.text, quotes, activeId, (part) => <FoundWords text={part} show={show} />)
          )}
        </Fragment>
      )),
    [quotes, activeId],
  )
  return (
    <TextMarks value={mark}>
      <RichText text={text} />
    </TextMarks>
  )
}

function withQuotes(
  text: string,
  quotes: readonly Quote[],
  activeId: string | undefined,
  show: (part: string) => ReactNode,
): ReactNode {
  const found = quotes
    .map((quote) => ({ ...quote, at: text.indexOf(quote.words) }))
    .filter(({ at, words }) => at !== -1 && words !== '')
    .sort((one, other) => one.at - other.at)
  const parts: ReactNode[] = []
  let at = 0
  for (const { factId, words, at: start } of found) {
    if (start < at) continue
    parts.push(show(text.slice(at, start)))
    parts.push(
      <span className={classes.quote} data-quote={factId} data-active={factId === activeId || undefined}>
        {show(words)}
      </span>,
    )
    at = start + words.length
  }
  parts.push(show(text.slice(at)))
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>)
}
