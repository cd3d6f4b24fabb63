import { lazy, Suspense } from 'react'
import { VisibleText } from '../visible-text.tsx'
import { hasMarkup, parsedCharsMax } from './markup.ts'
import classes from './rich-text.module.css'

const MarkdownText = lazy(() => import('./markdown-text.tsx'))

/** Text by an agent or a person: rendered if it contains Markdown or links, otherwise shown verbatim. */
export function RichText({ text }: { text: string }) {
  const plain = (
    <div className={classes.plain}>
      <VisibleText text={text} />
    </div>
  )
  if (!hasMarkup(text) || text.length > parsedCharsMax) return plain
  return (
    <Suspense fallback={plain}>
      <MarkdownText text={text} />
    </Suspense>
  )
}
