import type { EntityWithObservations } from '@loci/contract/entities'
import { Alert, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf, isApiError, messageOf } from '../../lib/errors.ts'
import { useKeptDraft } from '../../lib/kept-drafts.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { entityOptions, useEntity, useSaveEntity } from './entities.queries.ts'
import { type EntityFormValues, type EntityInput, initialValues } from './entity-form.rules.ts'
import { EntityForm } from './entity-form.tsx'

/** The name of the kept draft of Create Entity. */
export const newEntityDraft = 'new entity'

type DialogProps = { opened: boolean; onClose: () => void }

export function CreateEntityDialog({ opened, onClose }: DialogProps) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Create Entity" size="lg">
      <EntityEditor onClose={onClose} />
    </FormModal>
  )
}

export function EditEntityDialog({
  entityId,
  opened,
  onClose,
}: DialogProps & { entityId: string | undefined }) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Edit Entity" size="lg">
      {entityId && <LoadedEditor entityId={entityId} onClose={onClose} />}
    </FormModal>
  )
}

function LoadedEditor({ entityId, onClose }: { entityId: string; onClose: () => void }) {
  const { data, error, refetch } = useEntity(entityId)
  const [isLate] = useState(data === undefined)
  // The form edits the data from when the dialog opened, whatever arrives meanwhile.
  const [opened, setOpened] = useState<{ data: Loaded; round: number }>()
  if (data && !opened) setOpened({ data, round: 0 })
  if (error && !data) {
    return (
      <ErrorAlert message={messageOf(error, 'Failed to load entity data')} onRetry={() => void refetch()} />
    )
  }
  if (!opened) {
    return <LoadingText>Loading entity...</LoadingText>
  }
  return (
    <EntityEditor
      key={opened.round}
      loaded={opened.data}
      autoFocus={isLate}
      onReload={(latest) => setOpened({ data: latest, round: opened.round + 1 })}
      onClose={onClose}
    />
  )
}

type Loaded = { entity: EntityWithObservations; version: string | null }
type EditorProps = {
  loaded?: Loaded
  /** The dialog was open before the form, and looked for its first field in vain. */
  autoFocus?: boolean
  onReload?: (latest: Loaded) => void
  onClose: () => void
}

function EntityEditor({ loaded, autoFocus, onReload, onClose }: EditorProps) {
  const client = useQueryClient()
  const save = useSaveEntity()
  const notifyUndoable = useNotifyUndoable()
  const [initial] = useState(() => initialValues(loaded?.entity))
  const id = loaded?.entity.id
  // An edit is not kept: by the time it is back, others may have changed the entity.
  const draftName = id === undefined ? newEntityDraft : undefined
  const draft = useKeptDraft<EntityFormValues>(draftName ?? '')

  function submit(input: EntityInput, version = loaded?.version) {
    save.mutate(
      { id, version, input },
      {
        onSuccess: ({ setId }) => {
          if (id) notifyUndoable('Entity updated successfully', setId)
          else notifyUndoable('Entity created successfully', setId)
          onClose()
        },
        onError: (error) => notifyError('Failed to save entity', messageOf(error, '')),
      },
    )
  }

  async function loadLatest() {
    if (!id) return
    try {
      onReload?.(await client.fetchQuery({ ...entityOptions(id), staleTime: 0 }))
    } catch (error) {
      notifyError('Failed to load entity data', messageOf(error, ''))
    }
  }

  const stale = isApiError(save.error, 'stale_write')
  return (
    <EntityForm
      initial={initial}
      draft={draft}
      draftName={draftName}
      autoFocus={autoFocus}
      submitLabel={id ? 'Save Changes' : 'Create Entity'}
      pending={save.isPending}
      serverErrors={errorsOf(save.error)}
      notice={
        stale ? (
          <Alert color="yellow" title="This entity was changed elsewhere" role="alert">
            What you typed is still here. Load the latest version to start from it, or overwrite it with
            yours.
            <Group gap="xs" mt="sm">
              <Button size="xs" variant="default" onClick={() => void loadLatest()}>
                Load latest
              </Button>
              <Button size="xs" onClick={() => save.variables && submit(save.variables.input, null)}>
                Overwrite
              </Button>
            </Group>
          </Alert>
        ) : (
          isApiError(save.error, 'plan_limit_reached') && <ErrorAlert message={messageOf(save.error, '')} />
        )
      }
      onSubmit={submit}
      onCancel={onClose}
    />
  )
}

function errorsOf(error: unknown) {
  return isApiError(error, 'entity_name_taken') ? { name: error.message } : fieldErrorsOf(error)
}
