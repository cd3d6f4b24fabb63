import { type RefCallback, useCallback, useState } from 'react'

/** Rows beyond either edge: the focus goes to them by the arrow keys before they are in view. */
const overscan = 10
/** Until the box is measured. */
const rowsAtFirst = 24

/**
 * Which of `count` rows of one height a scrolling box has to draw, `first` up to, not including, `end`. However many
 * there are, it costs the same.
 */
export function useRowsInView(count: number, rowHeight: number) {
  const [drawn, setDrawn] = useState({ first: 0, end: rowsAtFirst })
  const scroller: RefCallback<HTMLElement> = useCallback(
    (element) => {
      if (!element) return
      const measure = () => {
        const { scrollTop, clientHeight } = element
        const first = Math.max(0, Math.floor(scrollTop / rowHeight) - overscan)
        const end = Math.ceil((scrollTop + clientHeight) / rowHeight) + overscan
        setDrawn((before) => (before.first === first && before.end === end ? before : { first, end }))
      }
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      element.addEventListener('scroll', measure, { passive: true })
      return () => {
        observer.disconnect()
        element.removeEventListener('scroll', measure)
      }
    },
    [rowHeight],
  )
  const end = Math.min(count, drawn.end)
  return { scroller, first: Math.min(drawn.first, end), end }
}
