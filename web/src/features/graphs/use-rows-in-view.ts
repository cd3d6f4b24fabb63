import { type RefCallback, useCallback, useState } from 'react'

/** Extra rows beyond either edge: arrow keys can focus them before they are in view. */
const overscan = 10
/** Used until the box is measured. */
const rowsAtFirst = 24

/**
 * Which of `count` rows of equal height a scrolling box must render: from `first` up to but not including
 * `end`. The cost does not depend on `count`.
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
