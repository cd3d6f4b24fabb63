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
import { WaitsBadge } from '../../ui/waits-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { FactBefore, FactOrigin, FactTimes, StaleRemark } from './fact-facts.tsx'
import classes from './observation-panel.module.css'
import { useDeleteObservation } from './observations.queries.ts'

const charsAtFirst = 2_000

type RowProps = {
  entityId: string
  observation: Observation
  /** The past is read-only. */
  isReadOnly: boolean
  isSelected?: boolean
  /** What took its place, if that stands above it, and how many older ones are folded. */
  before?: { by: Observation; folded: number } | undefined
  onSelect?: (() => void) | undefined
  onUnfold?: (() => void) | undefined
  onEdit: () => void
}

/** An observation with its writer and time, and controls to copy, edit and delete it. */
export function ObservationRow({ entityId, observation, isReadOnly, isSelected, ...props }: RowProps) {
  const { before, onSelect, onUnfold, onEdit } = props
  const { id, content, createdAt, updatedAt, by, metadata, state } = observation
  // A row that can be selected stands beside a label that says when it held.
  const isInTime = onSelect !== undefined
  const isPast = state === 'replaced' || state === 'expired'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: J and K select, too
    <div
      className={classes.observation}
      data-observation={id}
      data-past={isPast || undefined}
      data-selected={isSelected || undefined}
      onClick={onSelect}
    >
      <div dir="auto" className={classes.content}>
        <LongText text={content} />
      </div>
      <div className={classes.facts}>
        {by && <WriterBadge by={by} />}
        {!isInTime && <TimeText iso={createdAt} />}
        {before === undefined ? (
          <FactTimes observation={observation} isInYear={isInTime} />
        ) : (
          <FactBefore observation={observation} by={before.by} />
        )}
        {before !== undefined && before.folded > 0 && (
          <UnstyledButton className={classes.whole} onClick={onUnfold}>
            {before.folded} more before it
          </UnstyledButton>
        )}
        {isInTime && <FactOrigin observation={observation} />}
        {state === 'proposed' && <WaitsBadge />}
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
      {!isInTime && <FactOrigin observation={observation} />}
      <StaleRemark
        entityId={entityId}
        observation={observation}
        isReadOnly={isReadOnly}
        hasKeys={isSelected}
        onCorrect={onEdit}
      />
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
