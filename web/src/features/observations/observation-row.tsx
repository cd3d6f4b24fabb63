import type { Observation } from '@loci/contract/observations'
import { ActionIcon, Badge, Tooltip, UnstyledButton } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { CopyIcon } from '../../ui/copy-button.tsx'
import { RichText } from '../../ui/markdown/rich-text.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { FactOrigin, FactTimes, StaleRemark } from './fact-facts.tsx'
import classes from './observation-panel.module.css'
import { useDeleteObservation } from './observations.queries.ts'

const charsAtFirst = 2_000

type RowProps = {
  entityId: string
  observation: Observation
  /** The past is read-only. */
  isReadOnly: boolean
  onEdit: () => void
}

/** An observation with its writer and time, and controls to copy, edit and delete it. */
export function ObservationRow({ entityId, observation, isReadOnly, onEdit }: RowProps) {
  const { id, content, createdAt, updatedAt, by, metadata, state } = observation
  const isPast = state === 'replaced' || state === 'expired'
  return (
    <div className={classes.observation} data-observation={id} data-past={isPast || undefined}>
      <div dir="auto" className={classes.content}>
        <LongText text={content} />
      </div>
      <div className={classes.facts}>
        {by && <WriterBadge by={by} />}
        <TimeText iso={createdAt} />
        <FactTimes observation={observation} />
        {updatedAt && (
          <Tooltip label={<TimeText iso={updatedAt} />}>
            <Badge color="gray" size="sm">
              edited
            </Badge>
          </Tooltip>
        )}
        {metadata && Object.keys(metadata).length > 0 && (
          <Tooltip label={<code>{JSON.stringify(metadata)}</code>} multiline maw={360}>
            <Badge color="gray" size="sm">
              Has metadata
            </Badge>
          </Tooltip>
        )}
        <div className={classes.actions}>
          <CopyIcon value={content} label="Copy observation" />
          {!isReadOnly && (
            <>
              <ActionIcon aria-label="Edit observation" onClick={onEdit}>
                <IconPencil size={16} />
              </ActionIcon>
              <DeleteButton entityId={entityId} id={id} />
            </>
          )}
        </div>
      </div>
      <FactOrigin observation={observation} />
      <StaleRemark entityId={entityId} observation={observation} isReadOnly={isReadOnly} onCorrect={onEdit} />
    </div>
  )
}

function LongText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen || text.length <= charsAtFirst) return <RichText text={text} />
  return (
    <>
      <RichText text={`${text.slice(0, charsAtFirst)}…`} />
      <UnstyledButton className={classes.whole} onClick={() => setOpen(true)}>
        Show all
      </UnstyledButton>
    </>
  )
}

function DeleteButton({ entityId, id }: { entityId: string; id: string }) {
  const remove = useDeleteObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  return (
    <ActionIcon
      aria-label="Delete observation"
      loading={remove.isPending}
      onClick={() =>
        remove.mutate(id, {
          onSuccess: ({ setId }) => notifyUndoable('Observation deleted', setId),
          onError: (error) => notifyError('Failed to delete observation', messageOf(error, '')),
        })
      }
    >
      <IconTrash size={16} />
    </ActionIcon>
  )
}
