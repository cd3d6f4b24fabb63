import { createContext, type ReactNode, useContext } from 'react'
import { splitAtWords } from './find.rules.ts'

/** The text that is looked for within the conversation; undefined if none is. */
export const SoughtText = createContext<string | undefined>(undefined)

/** Marks what is looked for in a part of a turn. */
export function FoundWords({ text, show }: { text: string; show: (part: string) => ReactNode }) {
  const sought = useContext(SoughtText)
  if (sought === undefined) return show(text)
  return splitAtWords(text, sought).map(({ text: part, isFound }, index) =>
    isFound ? <mark key={index}>{show(part)}</mark> : <span key={index}>{show(part)}</span>,
  )
}
