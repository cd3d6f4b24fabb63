import type { RealtimeNews } from '@loci/contract/realtime'
import type { GraphView } from '@loci/graph/types'
import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { onLiveNews } from '../../lib/live.ts'

export type LiveRecall = Extract<RealtimeNews, { type: 'recalled' }>['payload']

/** How long a recall is shown after the walk, and how long while others wait. */
const shownMs = 8_000
const briefMs = 1_500
const stepMs = 250
const waitingMax = 5
const roomLight = 0.3

/** The recalls of agents as they happen, one after the other; each walks from node to node and lights up their rooms. */
export function useRecallWalk(
  drawing: GraphView | undefined,
  isPlan: boolean,
  isOff: boolean,
): LiveRecall | undefined {
  const [waiting, setWaiting] = useState<readonly LiveRecall[]>([])
  const isStill = useReducedMotion()
  const [shown] = waiting
  const isBrief = waiting.length > 1
  useEffect(() => {
    if (!drawing || isOff) return
    const stop = onLiveNews((news) => {
      if (news.type === 'recalled') setWaiting((before) => [...before, news.payload].slice(-waitingMax))
    })
    return () => {
      stop()
      setWaiting([])
    }
  }, [drawing, isOff])
  useEffect(() => {
    if (!shown || !drawing) return
    const ids = shown.entities.map(({ id }) => id)
    const step = (reached: number) => {
      const lit = ids.slice(0, reached)
      drawing.setRecent(isPlan ? new Map(lit.map((id) => [id, 1])) : lightsOf(drawing, lit))
      drawing.ring(isStill ? ids : ids.slice(reached - 1, reached))
    }
    const timers = isStill
      ? [setTimeout(() => step(ids.length))]
      : ids.map((_, index) => setTimeout(() => step(index + 1), index * stepMs))
    return () => {
      for (const timer of timers) clearTimeout(timer)
      drawing.setRecent(null)
    }
  }, [shown, drawing, isPlan, isStill])
  useEffect(() => {
    if (!shown) return
    const walkMs = isStill ? 0 : shown.entities.length * stepMs
    const timer = setTimeout(() => setWaiting((now) => now.slice(1)), walkMs + (isBrief ? briefMs : shownMs))
    return () => clearTimeout(timer)
  }, [shown, isBrief, isStill])
  return shown
}

/** What was told glows, and around it, fainter, the rest of its regions. */
export function lightsOf(
  drawing: Pick<GraphView, 'regions' | 'regionNodes'>,
  ids: readonly string[],
): Map<string, number> {
  const told = new Set(ids)
  const lights = new Map<string, number>()
  for (const { id, loose } of drawing.regions()) {
    const nodes = loose ? [] : drawing.regionNodes(id)
    if (nodes.some((node) => told.has(node))) for (const node of nodes) lights.set(node, roomLight)
  }
  for (const id of told) lights.set(id, 1)
  return lights
}
