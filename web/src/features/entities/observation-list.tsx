import type { Observation } from '@loci/contract/observations'
import { ActionIcon, Badge, Button, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { AddObservation } from './add-observation.tsx'
import { useDeleteObservation } from './entities.queries.ts'
import classes from './observation-list.module.css'

const shownAtFirst = 50

type ObservationListProps = { entityId: string; observations: Observation[] }

/** What is known about an entity, newest first. */
export function ObservationList({ entityId, observations }: ObservationListProps) {
  const [shown, setShown] = useState(shownAtFirst)
  const hidden = Math.max(0, observations.length - shown)
  const newestFirst = observations.toReversed().slice(0, shown)
  return (
    <Section
      title="Observations"
      flush
      aside={
        observations.length > 0 && (
          <span className={rows.dim}>{countOf(observations.length, 'observation', 'observations')}</span>
        )
      }
    >
      <AddObservation entityId={entityId} />
      {observations.length === 0 && <p className={rows.none}>No observations found</p>}
      <ul className={rows.list}>
        {newestFirst.map((observation) => (
          <ObservationItem key={observation.id} entityId={entityId} observation={observation} />
        ))}
      </ul>
      {hidden > 0 && (
        <div className={classes.more}>
          <Button variant="subtle" size="xs" onClick={() => setShown(shown + shownAtFirst * 2)}>
            Show more ({formatNumber(hidden)} hidden)
          </Button>
        </div>
      )}
    </Section>
  )
}

function ObservationItem({ entityId, observation }: { entityId: string; observation: Observation }) {
  const remove = useDeleteObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  const { id, content, createdAt, metadata } = observation
  return (
    <li className={classes.item}>
      <Text dir="auto" className={classes.content}>
        {content}
      </Text>
      <div className={classes.foot}>
        <TimeText iso={createdAt} />
        {metadata && Object.keys(metadata).length > 0 && (
          <Tooltip label={<code>{JSON.stringify(metadata)}</code>} multiline maw={360}>
            <Badge color="gray" size="sm">
              Has metadata
            </Badge>
          </Tooltip>
        )}
        <ActionIcon
          size="sm"
          className={classes.remove}
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
