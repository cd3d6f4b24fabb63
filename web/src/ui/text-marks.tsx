import { createContext, type ReactNode } from 'react'

/** What else to mark in every text below it, such as passages that a fact quotes. */
export const TextMarks = createContext<
  ((text: string, show: (part: string) => ReactNode) => ReactNode) | undefined
>(undefined)
