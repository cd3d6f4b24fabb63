import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteEntity } from './entities.queries.ts'

type DeleteEntityDialogProps = {
  entity: { id: string; name: string } | undefined
  opened: boolean
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteEntityDialog({ entity, opened, onClose, onDeleted }: DeleteEntityDialogProps) {
  const remove = useDeleteEntity()
  const notifyUndoable = useNotifyUndoable()
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Entity"
      confirmLabel="Delete"
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        entity &&
        remove.mutate(entity.id, {
          onSuccess: ({ setId }) => {
            notifyUndoable('Entity deleted successfully', setId)
            onClose()
            onDeleted?.()
          },
          onError: (error) => notifyError('Failed to delete entity', messageOf(error, '')),
        })
      }
    >
      Are you sure you want to delete "<bdi>{entity?.name}</bdi>"?
    </ConfirmDialog>
  )
}
