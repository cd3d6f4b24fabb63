import type { Observation } from '@loci/contract/observations'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useEntity } from '../../features/entities/entities.queries.ts'
import { AddObservation } from '../../features/observations/add-observation.tsx'
import { ObservationEditor } from '../../features/observations/observation-editor.tsx'
import { ObservationRow } from '../../features/observations/observation-row.tsx'
import { withEdited } from '../../features/observations/timeline.rules.ts'
import { useAsOf } from '../../lib/as-of.ts'
import { formatNumber } from '../../lib/format.ts'
import { useMayWrite } from '../../lib/rights.ts'
import classes from './node-facts.module.css'

const shownAtFirst = 30

/** An entity's observations, newest first, and a field to add one. */
export function NodeFacts({ entityId }: { entityId: string }) {
  const asOf = useAsOf()
  const isReadOnly = !useMayWrite()
  const { data, error, refetch } = useEntity(entityId, asOf)
  const [shown, setShown] = useState(shownAtFirst)
  const [edited, setEdited] = useState<Observation>()
  const stored = data?.entity.observations ?? []
  const observations = withEdited(stored, edited)
  const hidden = Math.max(0, observations.length - shown)
  return (
    <>
      <div className={classes.scroller}>
        {error && !data && (
          <p className={classes.none} role="alert">
            Could not be loaded.{' '}
            <Button variant="default" size="compact-xs" onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        )}
        {!data && !error && <Skeleton height={56} m={14} w="auto" />}
        {data && observations.length === 0 && <p className={classes.none}>No observations found</p>}
        <ul aria-label="Observations">
          {observations
            .toReversed()
            .slice(0, shown)
            .map((observation) => (
              <li key={observation.id} className={classes.fact}>
                {edited?.id === observation.id ? (
                  <ObservationEditor
                    entityId={entityId}
                    observation={edited}
                    current={stored.find(({ id }) => id === edited.id)}
                    onClose={() => setEdited(undefined)}
                  />
                ) : (
                  <ObservationRow
                    entityId={entityId}
                    observation={observation}
                    isReadOnly={isReadOnly}
                    onEdit={() => setEdited(observation)}
                  />
                )}
              </li>
            ))}
        </ul>
        {hidden > 0 && (
          <Button variant="subtle" size="xs" m={8} onClick={() => setShown(shown + shownAtFirst * 3)}>
            Show more ({formatNumber(hidden)} hidden)
          </Button>
        )}
      </div>
      {!isReadOnly && (
        <div className={classes.add}>
          <AddObservation entityId={entityId} />
        </div>
      )}
    </>
  )
}
