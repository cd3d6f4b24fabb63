import { useEffect, useEffectEvent, useState } from 'react'
import { isChangeNumber } from '../../lib/as-of.ts'
import type { TimeSpan } from './time-span.ts'

type Effects = {
  onPreview: (time: number | null) => void
  onChange: (asOf: string | undefined) => void
}

const playMs = 9_000
const frameMs = 100

/** The moment while dragging, and the one shown after release; `change` if it is given by the number of a change. */
export function useTimeTravel(span: TimeSpan, asOf: string | undefined, { onPreview, onChange }: Effects) {
  const [dragged, setDragged] = useState<number>()
  const [playing, setPlaying] = useState(false)
  const shown = shownTime(span, asOf)
  const time = dragged ?? shown
  const change = dragged === undefined && asOf !== undefined && isChangeNumber(asOf) ? asOf : undefined

  function drag(next: number) {
    setPlaying(false)
    setDragged(next)
    onPreview(next)
  }
  function rest() {
    if (dragged === undefined || playing) return
    setDragged(undefined)
    const isNow = dragged >= span.end
    if (isNow) onPreview(null)
    onChange(isNow ? undefined : new Date(dragged).toISOString())
  }
  const step = useEffectEvent(() => {
    const next = (dragged ?? span.start) + ((span.end - span.start) * frameMs) / playMs
    if (next < span.end) {
      setDragged(next)
      onPreview(next)
      return
    }
    setPlaying(false)
    setDragged(undefined)
    onPreview(null)
  })
  function play() {
    if (playing) {
      setPlaying(false)
      return
    }
    // Playback uses the present graph and hides later nodes.
    onChange(undefined)
    setDragged(time >= span.end ? span.start : time)
    setPlaying(true)
  }

  useEffect(() => {
    if (!playing) return
    const timer = setInterval(step, frameMs)
    return () => clearInterval(timer)
  }, [playing])
  return { time, change, playing, play, drag, rest }
}

/** A moment can also be the number of a change, whose time the client does not know. */
function shownTime({ start, end }: TimeSpan, asOf: string | undefined): number {
  const time = asOf === undefined || isChangeNumber(asOf) ? end : Date.parse(asOf)
  return Number.isNaN(time) ? end : Math.max(start, Math.min(end, time))
}
