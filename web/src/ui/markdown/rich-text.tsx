import { lazy, Suspense } from 'react'
import { hasMarkup, parsedCharsMax } from './markup.ts'
import classes from './rich-text.module.css'

const MarkdownText = lazy(() => import('./markdown-text.tsx'))

/** A text that an agent or a person wrote: rendered where it has Markdown or links, and shown as written otherwise. */
export function RichText({ text }: { text: string }) {
  const plain = <div className={classes.plain}>{text}</div>
  if (!hasMarkup(text) || text.length > parsedCharsMax) return plain
  return (
    <Suspense fallback={plain}>
      <MarkdownText text={text} />
    </Suspense>
  )
}
