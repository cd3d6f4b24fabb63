import type { Observation } from '@loci/contract/observations'
import { NativeSelect } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Panel } from '../../ui/frame.tsx'
import { AddObservation } from './add-observation.tsx'
import classes from './observation-panel.module.css'
import { holdsNow, type Order, toTimeline, withEdited, writersOf } from './timeline.rules.ts'
import { Timeline } from './timeline.tsx'

type PanelProps = {
  entityId: string
  /** Oldest first. */
  observations: Observation[]
  /** The past is read-only. */
  isReadOnly?: boolean
}

/** An entity's observations: a field to add one, and the timeline. */
export function ObservationPanel({ entityId, observations, isReadOnly = false }: PanelProps) {
  const [order, setOrder] = useState<Order>('newest')
  const [writer, setWriter] = useState<string>()
  const [edited, setEdited] = useState<Observation>()
  const [isWhole, setWhole] = useState(false)
  const fresh = useFresh(observations)
  const writers = useMemo(() => writersOf(observations), [observations])
  const byId = useMemo(() => new Map(observations.map((one) => [one.id, one])), [observations])
  const current = useMemo(() => observations.filter(holdsNow), [observations])
  const past = observations.length - current.length
  const shown = isWhole ? observations : current
  const rows = useMemo(
    () => toTimeline(withEdited(shown, edited), { order, writer }),
    [shown, edited, order, writer],
  )
  return (
    <Panel
      title="Observations"
      description={formatNumber(current.length)}
      aside={
        <div className={classes.choices}>
          {past > 0 && (
            <NativeSelect
              size="xs"
              aria-label="Which observations"
              value={isWhole ? 'before' : 'now'}
              data={[
                { value: 'now', label: 'Now' },
                { value: 'before', label: `Now and before (${formatNumber(past)})` },
              ]}
              onChange={(event) => setWhole(event.currentTarget.value === 'before')}
            />
          )}
          {writers.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Agent"
              value={writer ?? ''}
              data={[
                { value: '', label: 'Agent: All' },
                ...writers.map(({ name, count }) => ({
                  value: name,
                  label: `${name} (${formatNumber(count)})`,
                })),
              ]}
              onChange={(event) => setWriter(event.currentTarget.value || undefined)}
            />
          )}
          {observations.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Order"
              value={order}
              data={[
                { value: 'newest', label: 'Newest' },
                { value: 'oldest', label: 'Oldest' },
              ]}
              onChange={(event) => setOrder(event.currentTarget.value as Order)}
            />
          )}
        </div>
      }
    >
      {!isReadOnly && <AddObservation entityId={entityId} />}
      <div className={classes.body}>
        {rows.length === 0 ? (
          <p className={classes.none}>No observations found</p>
        ) : (
          <Timeline
            entityId={entityId}
            rows={rows}
            edited={isReadOnly ? undefined : edited}
            fresh={fresh}
            isReadOnly={isReadOnly}
            find={(id) => byId.get(id)}
            onEdit={setEdited}
          />
        )}
      </div>
    </Panel>
  )
}

/** The observations that arrived after the first render. */
function useFresh(observations: readonly Observation[]): ReadonlySet<string> {
  const first = useRef<Set<string>>(undefined)
  first.current ??= new Set(observations.map(({ id }) => id))
  const known = first.current
  return useMemo(
    () => new Set(observations.filter(({ id }) => !known.has(id)).map(({ id }) => id)),
    [observations, known],
  )
}
