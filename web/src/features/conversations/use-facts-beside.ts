import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { heightOf, placeFacts, type Wish } from './place-facts.ts'

type Beside = { tops: ReadonlyMap<string, number>; height: number }

/**
 * Where to place facts beside the words that they rest on. `turnOf`: the element id of each fact's turn, in the order of
 * the conversation. Measures again whenever the turns change their height.
 */
export function useFactsBeside(
  frame: RefObject<HTMLElement | null>,
  turnOf: ReadonlyMap<string, string>,
): Beside {
  const [beside, setBeside] = useState<Beside>({ tops: new Map(), height: 0 })
  const [measured, measureAgain] = useState(0)
  useEffect(() => {
    if (frame.current === null) return
    const observer = new ResizeObserver(() => measureAgain((count) => count + 1))
    for (const part of frame.current.children) observer.observe(part)
    return () => observer.disconnect()
  }, [frame])
  useLayoutEffect(() => {
    if (frame.current === null) return
    const wishes = wishesIn(frame.current, turnOf)
    const tops = placeFacts(wishes)
    setBeside((was) => (isSame(was.tops, tops) ? was : { tops, height: heightOf(wishes, tops) }))
  }, [frame, turnOf, measured])
  return beside
}

function wishesIn(frame: HTMLElement, turnOf: ReadonlyMap<string, string>): Wish[] {
  const origin = frame.getBoundingClientRect().top
  return [...turnOf].flatMap(([id, turnId]) => {
    const words = wordsOf(frame, id) ?? document.getElementById(turnId)
    const fact = frame.querySelector<HTMLElement>(`[data-fact="${CSS.escape(id)}"]`)
    if (!words || !fact) return []
    return [{ id, top: words.getBoundingClientRect().top - origin - dotOffset, height: fact.offsetHeight }]
  })
}

/** The dot stands this far below the top of its fact. */
const dotOffset = 6

export const wordsOf = (frame: HTMLElement, factId: string) =>
  frame.querySelector<HTMLElement>(`[data-quote="${CSS.escape(factId)}"]`)

const isSame = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean =>
  one.size === other.size && [...one].every(([id, top]) => other.get(id) === top)
