import type { GraphView } from '@loci/graph/types'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './recall-light.module.css'
import { type LiveRecall, useRecallWalk } from './use-recall-walk.ts'

const namesMax = 3

type RecallLightProps = {
  drawing: GraphView | undefined
  /** Rooms are not regions there. */
  isPlan: boolean
  /** The glow has another meaning, or this is the past. */
  isOff: boolean
}

/** Lights up what an agent has just been told, and the regions that it is in, with the agent's sign. */
export function RecallLight({ drawing, isPlan, isOff }: RecallLightProps) {
  const shown = useRecallWalk(drawing, isPlan, isOff)
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

function wordsOf({ entities }: LiveRecall): string {
  const names = entities.slice(0, namesMax).map(({ name }) => name)
  const more = entities.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
