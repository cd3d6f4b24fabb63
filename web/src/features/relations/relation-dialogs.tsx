import type { Relation } from '@loci/contract/relations'
import { Text } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { RelationForm } from './relation-form.tsx'
import { useDeleteRelation, useSaveRelation } from './relations.queries.ts'

type DialogProps = { opened: boolean; onClose: () => void }
type SubjectProps = DialogProps & { relation: Relation | undefined }

export function CreateRelationDialog({ opened, onClose }: DialogProps) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Create New Relation">
      <Text c="dimmed" mb="md">
        Create a new relationship between two entities.
      </Text>
      <RelationEditor onClose={onClose} />
    </FormModal>
  )
}

export function EditRelationDialog({ opened, onClose, relation }: SubjectProps) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Edit Relation">
      <Text c="dimmed" mb="md">
        Update the relation type. Entity connections cannot be modified.
      </Text>
      {relation && <RelationEditor relation={relation} onClose={onClose} />}
    </FormModal>
  )
}

function RelationEditor({ relation, onClose }: { relation?: Relation; onClose: () => void }) {
  const save = useSaveRelation()
  const notifyUndoable = useNotifyUndoable()
  return (
    <RelationForm
      relation={relation}
      pending={save.isPending}
      notice={save.error && <ErrorAlert message={messageOf(save.error, 'Failed to save relation')} />}
      onCancel={onClose}
      onSubmit={(input) =>
        save.mutate(
          { id: relation?.id, input },
          {
            onSuccess: ({ setId }) => {
              if (relation) notifyUndoable('Relation updated successfully', setId)
              else notifyUndoable('Relation created successfully', setId)
              onClose()
            },
            onError: () => notifyError('Failed to save relation'),
          },
        )
      }
    />
  )
}

export function DeleteRelationDialog({ opened, onClose, relation }: SubjectProps) {
  const remove = useDeleteRelation()
  const notifyUndoable = useNotifyUndoable()
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Relation"
      confirmLabel="Delete"
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        relation &&
        remove.mutate(relation.id, {
          onSuccess: ({ setId }) => {
            notifyUndoable('Relation deleted successfully', setId)
            onClose()
          },
          onError: (error) => notifyError('Failed to delete relation', messageOf(error, '')),
        })
      }
    >
      Are you sure you want to delete the relation "<bdi>{relation?.fromEntity.name}</bdi> {relation?.type}{' '}
      <bdi>{relation?.toEntity.name}</bdi>"?
    </ConfirmDialog>
  )
}
