import type { Observation } from '@loci/contract/observations'
import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { Panel } from '../../ui/frame.tsx'
import { AddObservation } from './add-observation.tsx'
import { didHold } from './held.rules.ts'
import classes from './observation-panel.module.css'
import { holdsNow, type Order, toTimeline, withEdited, writersOf } from './timeline.rules.ts'
import { Timeline } from './timeline.tsx'
import { type Facts, useFacts } from './use-facts.ts'

const noKeys = {}

type PanelProps = {
  entityId: string
  /** Oldest first. */
  observations: Observation[]
  /** The past is read-only. */
  isReadOnly?: boolean
  /** The facts that the reader looks at, if other panels show them, too. */
  facts?: Facts
  /** The moment at which the facts shown held; now if undefined. */
  heldAt?: number | undefined
}

/** An entity's observations: a field to add one, and the timeline. */
export function ObservationPanel(props: PanelProps) {
  const { entityId, observations, isReadOnly = false, heldAt } = props
  const own = useFacts()
  const facts = props.facts ?? own
  const { edited } = facts
  const [order, setOrder] = useState<Order>('newest')
  const [writer, setWriter] = useState<string>()
  const [isWhole, setWhole] = useState(false)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const fresh = useFresh(observations)
  const writers = useMemo(() => writersOf(observations), [observations])
  const byId = useMemo(() => new Map(observations.map((one) => [one.id, one])), [observations])
  const current = useMemo(
    () => observations.filter((one) => (heldAt === undefined ? holdsNow(one) : didHold(one, heldAt))),
    [observations, heldAt],
  )
  const past = observations.length - current.length
  const shown = isWhole && heldAt === undefined ? observations : current
  const rows = useMemo(
    () => toTimeline(withEdited(shown, edited), { order, writer, unfolded }),
    [shown, edited, order, writer, unfolded],
  )
  const ids = rows.flatMap((row) => (row.kind === 'observation' ? [row.key] : []))
  const step = (by: number) => {
    const next = ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(facts.selected ?? '') + by))]
    if (next === undefined) return false
    facts.select(next)
    document.querySelector(`[data-observation="${next}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const editSelected = () => {
    const selected = byId.get(facts.selected ?? '')
    if (isReadOnly || selected === undefined) return false
    facts.edit(selected)
    return true
  }
  useScreenKeys(
    props.facts === undefined || rows[0]?.kind !== 'year'
      ? noKeys
      : { j: () => step(1), k: () => step(-1), e: editSelected },
  )
  return (
    <Panel
      title="Observations"
      description={formatNumber(current.length)}
      aside={
        <div className={classes.choices}>
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
          {past > 0 && heldAt === undefined && (
            <SegmentedControl
              size="xs"
              aria-label="Which observations"
              value={isWhole ? 'before' : 'now'}
              data={[
                { value: 'now', label: 'Now' },
                { value: 'before', label: 'Now and before' },
              ]}
              onChange={(value) => setWhole(value === 'before')}
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
            fresh={fresh}
            isReadOnly={isReadOnly}
            find={(id) => byId.get(id)}
            facts={facts}
            onUnfold={(top) => setUnfolded((now) => new Set([...now, top]))}
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
