import type { Observation } from '@loci/contract/observations'
import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { AddObservation } from '../../features/entities/add-observation.tsx'
import { useDeleteObservation, useEntity } from '../../features/entities/entities.queries.ts'
import { messageOf } from '../../lib/errors.ts'
import { formatNumber } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './node-facts.module.css'

const shownAtFirst = 30

/** The observations of an entity, newest first, and a field for a new one. */
export function NodeFacts({ entityId }: { entityId: string }) {
  const { data, error, refetch } = useEntity(entityId)
  const [shown, setShown] = useState(shownAtFirst)
  const observations = data?.entity.observations ?? []
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
        <ul className={classes.facts} aria-label="Observations">
          {observations
            .toReversed()
            .slice(0, shown)
            .map((observation) => (
              <Fact key={observation.id} entityId={entityId} observation={observation} />
            ))}
        </ul>
        {hidden > 0 && (
          <Button variant="subtle" size="xs" m={8} onClick={() => setShown(shown + shownAtFirst * 3)}>
            Show more ({formatNumber(hidden)} hidden)
          </Button>
        )}
      </div>
      <div className={classes.add}>
        <AddObservation entityId={entityId} />
      </div>
    </>
  )
}

function Fact({ entityId, observation }: { entityId: string; observation: Observation }) {
  const { id, content, createdAt } = observation
  const remove = useDeleteObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  return (
    <li className={classes.fact}>
      <p className={classes.text} dir="auto">
        {content}
      </p>
      <div className={classes.foot}>
        <TimeText iso={createdAt} />
        <ActionIcon
          size="sm"
          aria-label="Delete observation"
          loading={remove.isPending}
          onClick={() =>
            remove.mutate(id, {
              onSuccess: ({ setId }) => notifyUndoable('Observation deleted', setId),
              onError: (error) => notifyError('Failed to delete observation', messageOf(error, '')),
            })
          }
        >
          <IconTrash size={14} />
        </ActionIcon>
      </div>
    </li>
  )
}
