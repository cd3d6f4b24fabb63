import { diffWording } from '../lib/wording-diff.ts'
import { plainText } from './markdown/plain-text.ts'
import { VisibleText } from './visible-text.tsx'

type State = Record<string, unknown> | null

/** A field before and after a change, with the words that differ marked. */
export function Wording({ before, after, field }: { before: State; after: State; field: string }) {
  const written = [before?.[field], after?.[field]].map((text) =>
    text === undefined ? undefined : String(text),
  )
  const plain = field === 'content' ? written.map((text) => text && plainText(text)) : written
  // The signs of Markdown may be all that an edit changed.
  const [old, now] = plain[0] === plain[1] ? written : plain
  if (old === undefined || now === undefined) return <VisibleText text={now ?? old ?? ''} />
  return diffWording(old, now).map(({ kind, text }, index) => {
    const key = `${index} ${kind}`
    if (kind === 'removed')
      return (
        <del key={key}>
          <VisibleText text={text} />
        </del>
      )
    return kind === 'added' ? (
      <ins key={key}>
        <VisibleText text={text} />
      </ins>
    ) : (
      <span key={key}>
        <VisibleText text={text} />
      </span>
    )
  })
}
