import { splitAtHidden } from '@loci/contract/hidden-characters'
import { Tooltip } from '@mantine/core'
import { useContext } from 'react'
import { nameOfHidden } from './hidden-names.ts'
import { TextMarks } from './text-marks.tsx'
import classes from './visible-text.module.css'

/** Stored text with a mark for what cannot be seen in it: agents are never sent these characters. */
export function VisibleText({ text }: { text: string }) {
  const mark = useContext(TextMarks)
  return mark === undefined ? <Visible text={text} /> : mark(text, (part) => <Visible text={part} />)
}

function Visible({ text }: { text: string }) {
  const pieces = splitAtHidden(text)
  if (pieces.length === 1 && 'text' in pieces[0]!) return text
  return pieces.map((piece, index) =>
    'text' in piece ? piece.text : <HiddenMark key={index} codes={piece.hidden} />,
  )
}

function HiddenMark({ codes }: { codes: number[] }) {
  const [first = 0] = codes
  const more = codes.length > 1 ? ` +${codes.length - 1}` : ''
  return (
    <Tooltip label={nameOfHidden(codes)} multiline maw={320}>
      <span className={classes.mark} role="note" aria-label={nameOfHidden(codes)}>
        U+{first.toString(16).toUpperCase().padStart(4, '0')}
        {more}
      </span>
    </Tooltip>
  )
}
