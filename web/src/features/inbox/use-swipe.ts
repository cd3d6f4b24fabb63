import { type TouchEvent, useRef } from 'react'

/** A shorter movement is no decision. */
const distanceMin = 96

type Swipe = { onRight: () => void; onLeft: () => void }

/** Handlers for an element that follows a finger sideways and acts when it is let go far enough away. */
export function useSwipe({ onRight, onLeft }: Swipe) {
  const start = useRef<{ x: number; y: number }>(undefined)
  const moved = ({ touches, changedTouches }: TouchEvent) => {
    const touch = touches[0] ?? changedTouches[0]
    if (!touch || !start.current) return 0
    const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
    return Math.abs(x) > Math.abs(y) * 1.5 ? x : 0
  }
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      start.current = touches.length === 1 ? { x: touches[0]!.clientX, y: touches[0]!.clientY } : undefined
    },
    onTouchMove: (event: TouchEvent<HTMLElement>) => {
      event.currentTarget.style.transform = `translateX(${moved(event)}px)`
    },
    onTouchEnd: (event: TouchEvent<HTMLElement>) => {
      event.currentTarget.style.transform = ''
      const x = moved(event)
      start.current = undefined
      if (x >= distanceMin) onRight()
      else if (x <= -distanceMin) onLeft()
    },
    onTouchCancel: (event: TouchEvent<HTMLElement>) => {
      event.currentTarget.style.transform = ''
      start.current = undefined
    },
  }
}
