import type { EntityWithObservations } from '@loci/contract/entities'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MergeDialog } from '../../features/entities/merge-dialog.tsx'
import { EntityPicker, type PickedEntity } from '../../features/relations/entity-picker.tsx'

type MergeProps = { entity: EntityWithObservations; opened: boolean; onClose: () => void }

/** Merges the page's entity with another one chosen here. */
export function EntityMerge({ entity, opened, onClose }: MergeProps) {
  const [other, setOther] = useState<PickedEntity>()
  const navigate = useNavigate()
  function close() {
    setOther(undefined)
    onClose()
  }
  return (
    <MergeDialog
      opened={opened}
      entity={entity}
      otherId={other?.id}
      picker={
        <EntityPicker label="Merge with" value={other} excludedId={entity.id} autoFocus onChange={setOther} />
      }
      onClose={close}
      onMerged={(entityId) => {
        close()
        if (entityId !== entity.id) void navigate({ to: '/entities/$entityId', params: { entityId } })
      }}
    />
  )
}
