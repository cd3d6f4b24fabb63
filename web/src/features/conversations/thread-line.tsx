import { type RefObject, useLayoutEffect, useState } from 'react'
import classes from './conversation-view.module.css'
import { wordsOf } from './use-facts-beside.ts'

type LineProps = { frame: RefObject<HTMLElement | null>; factId: string; top: number }

/** From the words that the fact in focus rests on to its dot on the wall. */
export function ThreadLine({ frame, factId, top }: LineProps) {
  const [path, setPath] = useState<string>()
  useLayoutEffect(() => {
    const box = frame.current
    const words = box && wordsOf(box, factId)
    const dot = box?.querySelector<HTMLElement>(`[data-fact="${CSS.escape(factId)}"] > :first-child`)
    if (!box || !words || !dot) return setPath(undefined)
    const origin = box.getBoundingClientRect()
    const from = [...words.getClientRects()].at(-1) ?? words.getBoundingClientRect()
    const to = dot.getBoundingClientRect()
    // Below the line of text, which can go on after the words.
    const [x, y] = [from.right - origin.left, from.bottom - origin.top]
    const [endX, endY] = [to.left - origin.left, to.top + to.height / 2 - origin.top]
    setPath(`M${x} ${y}H${endX - 12}V${endY}H${endX}`)
  }, [frame, factId, top])
  if (path === undefined) return null
  return (
    <svg className={classes.thread} aria-hidden>
      <path d={path} />
    </svg>
  )
}
