import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'

type Draft = { scope: symbol | undefined; saving: boolean }
type Question = { promise: Promise<boolean>; answer: (discard: boolean) => void; isShown: boolean }

const drafts = new Set<Draft>()
const listeners = new Set<() => void>()
let question: Question | undefined

/** The dialog that contains a form, so that closing one asks about its own form only. */
export const UnsavedScope = createContext<symbol | undefined>(undefined)

/**
 * Declares that a form holds unsaved text: the user is asked before its dialog, page or tab closes. While it
 * is `saving` the page may close, since that often follows.
 */
export function useUnsaved(changed: boolean, saving = false): void {
  const scope = useContext(UnsavedScope)
  useEffect(() => (changed ? holdDraft({ scope, saving }) : undefined), [changed, saving, scope])
}

/** The same outside components; returns a function that ends it. */
export function holdDraft(draft: Draft): () => void {
  drafts.add(draft)
  return () => void drafts.delete(draft)
}

/** Whether leaving the page would discard something. */
export function hasUnsaved(): boolean {
  return [...drafts].some(({ saving }) => !saving)
}

/** Whether the page, or one dialog of it, can be discarded; asks the user only if something is unsaved. */
export async function mayDiscard(scope?: symbol): Promise<boolean> {
  const has = scope === undefined ? hasUnsaved() : [...drafts].some((draft) => draft.scope === scope)
  return !has || ask()
}

function ask(): Promise<boolean> {
  if (question) return question.promise
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const asked = { promise, answer: resolve, isShown: false }
  question = asked
  // Show the question after this press of Esc is over; otherwise the same press would answer it.
  setTimeout(() => {
    asked.isShown = true
    announce()
  })
  return promise
}

/** Answers the open question. */
export function answerDiscard(discard: boolean): void {
  question?.answer(discard)
  // The same press of Esc also reaches the dialog below, which must still see an open question.
  setTimeout(() => {
    question = undefined
    announce()
  })
}

/** Whether the question is open. */
export function useIsAsking(): boolean {
  return useSyncExternalStore(subscribe, isAsking)
}

export function isAsking(): boolean {
  return question?.isShown === true
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(): void {
  for (const listener of listeners) listener()
}

/** Whether a form's values differ from those it opened with. */
export function isChanged(values: unknown, initial: unknown): boolean {
  return JSON.stringify(values) !== JSON.stringify(initial)
}
