import type { LastRecall } from '@loci/contract/analytics'
import type { GraphView } from '@loci/graph/types'
import { useEffect, useRef, useState } from 'react'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { useLastRecall } from './last-recall.queries.ts'
import classes from './recall-light.module.css'

/** How long a recall is shown, and how long before now it may have been asked. */
const shownMs = 8_000
const lateMs = 30_000
const roomLight = 0.3
const namesMax = 3

type RecallLightProps = {
  drawing: GraphView | undefined
  /** The glow has another meaning, or this is the past. */
  isOff: boolean
}

/** Lights up what an agent has just been told, and the regions that it is in, with the agent's sign. */
export function RecallLight({ drawing, isOff }: RecallLightProps) {
  const { data: recall } = useLastRecall(!isOff)
  const [shown, setShown] = useState<LastRecall>()
  const seen = useRef<string>(undefined)
  useEffect(() => {
    if (!drawing || !recall || isOff || seen.current === recall.at) return
    seen.current = recall.at
    if (Date.now() - Date.parse(recall.at) > lateMs || recall.entities.length === 0) return
    setShown(recall)
    drawing.setRecent(lightsOf(drawing, recall))
    drawing.ring(recall.entities.map(({ id }) => id))
  }, [drawing, recall, isOff])
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => {
      setShown(undefined)
      drawing?.setRecent(null)
    }, shownMs)
    return () => clearTimeout(timer)
  }, [shown, drawing])
  return (
    <div className={classes.place} aria-live="polite">
      {shown && (
        <p className={classes.sign}>
          <WriterBadge by={{ kind: 'local', id: '', name: '', client: shown.agent ?? 'An agent' }} />
          <span className={classes.words}>
            recalled <bdi>{wordsOf(shown)}</bdi>
          </span>
        </p>
      )}
    </div>
  )
}

/** What was told glows, and around it, fainter, the rest of its regions. */
export function lightsOf(
  drawing: Pick<GraphView, 'regions' | 'regionNodes'>,
  { entities }: Pick<LastRecall, 'entities'>,
): Map<string, number> {
  const told = new Set(entities.map(({ id }) => id))
  const lights = new Map<string, number>()
  for (const { id, loose } of drawing.regions()) {
    const nodes = loose ? [] : drawing.regionNodes(id)
    if (nodes.some((node) => told.has(node))) for (const node of nodes) lights.set(node, roomLight)
  }
  for (const id of told) lights.set(id, 1)
  return lights
}

function wordsOf({ entities }: LastRecall): string {
  const names = entities.slice(0, namesMax).map(({ name }) => name)
  const more = entities.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
