import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'

type Draft = { scope: symbol | undefined; saving: boolean }
type Question = { promise: Promise<boolean>; answer: (discard: boolean) => void; isShown: boolean }

const drafts = new Set<Draft>()
const listeners = new Set<() => void>()
let question: Question | undefined

/** The dialog that a form stands in, so that closing one asks about its own form only. */
export const UnsavedScope = createContext<symbol | undefined>(undefined)

/**
 * Tells that a form holds what nobody has saved: it is asked about before a dialog, a page or a tab with it goes. While
 * it is `saving` the page may go, since that is what often follows.
 */
export function useUnsaved(changed: boolean, saving = false): void {
  const scope = useContext(UnsavedScope)
  useEffect(() => (changed ? holdDraft({ scope, saving }) : undefined), [changed, saving, scope])
}

/** The same outside of components; the answer ends it. */
export function holdDraft(draft: Draft): () => void {
  drafts.add(draft)
  return () => void drafts.delete(draft)
}

/** Whether leaving the page would throw something away. */
export function hasUnsaved(): boolean {
  return [...drafts].some(({ saving }) => !saving)
}

/** Whether the person lets go of what the page holds, or one dialog of it; asks only where there is something. */
export async function mayDiscard(scope?: symbol): Promise<boolean> {
  const has = scope === undefined ? hasUnsaved() : [...drafts].some((draft) => draft.scope === scope)
  return !has || ask()
}

function ask(): Promise<boolean> {
  if (question) return question.promise
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const asked = { promise, answer: resolve, isShown: false }
  question = asked
  // The press of Esc that asks would also answer, if the question were there before the press is over.
  setTimeout(() => {
    asked.isShown = true
    announce()
  })
  return promise
}

/** Answers the question that is open. */
export function answerDiscard(discard: boolean): void {
  question?.answer(discard)
  // The same press of Esc also reaches the dialog below, which must find the question answered, not gone.
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

/** Whether a form says something else than when it was opened. */
export function isChanged(values: unknown, initial: unknown): boolean {
  return JSON.stringify(values) !== JSON.stringify(initial)
}
