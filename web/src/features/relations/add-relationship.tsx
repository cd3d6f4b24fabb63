import { labelOfType } from '@loci/contract/lists'
import { Button, SegmentedControl, Select } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useFocusInvalid } from '../../ui/use-focus-invalid.ts'
import { EntityPicker, type PickedEntity } from './entity-picker.tsx'
import { offeredTypes, type RelationFormErrors, validateRelation } from './relation-form.rules.ts'
import { useRelationTypes, useSaveRelation } from './relations.queries.ts'
import classes from './relationship-list.module.css'

type AddProps = {
  entity: PickedEntity
  /** The other end, if it is known. */
  drawnTo?: PickedEntity
  onClose: () => void
}

/** Connects an entity with another one, in either direction. */
export function AddRelationship({ entity, drawnTo, onClose }: AddProps) {
  const [isOutgoing, setOutgoing] = useState(true)
  const [type, setType] = useState('')
  const [other, setOther] = useState(drawnTo)
  const [errors, setErrors] = useState<RelationFormErrors>({})
  const form = useRef<HTMLFormElement>(null)
  useFocusInvalid(form, errors)
  const { data: types = [] } = useRelationTypes()
  const save = useSaveRelation()
  const notifyUndoable = useNotifyUndoable()
  useUnsaved(type !== '' || other !== drawnTo, save.isPending)
  const offered = [...new Set([...types.map((one) => one.type), ...offeredTypes(type)])]

  function submit(event: FormEvent) {
    event.preventDefault()
    const otherId = other?.id ?? ''
    const ends = isOutgoing ? [entity.id, otherId] : [otherId, entity.id]
    const input = { fromEntityId: ends[0]!, toEntityId: ends[1]!, type: type.trim() }
    const found = validateRelation(input)
    setErrors(found)
    if (Object.keys(found).length > 0 || save.isPending) return
    save.mutate(
      { input },
      {
        onSuccess: ({ setId }) => {
          notifyUndoable('Relation created successfully', setId)
          onClose()
        },
      },
    )
  }

  return (
    <form ref={form} className={classes.add} onSubmit={submit} noValidate>
      <SegmentedControl
        size="xs"
        aria-label="Direction"
        value={isOutgoing ? 'outgoing' : 'incoming'}
        data={['outgoing', 'incoming']}
        onChange={(way) => setOutgoing(way === 'outgoing')}
      />
      <div className={classes.fields}>
        <Select
          label="Relation Type"
          withAsterisk
          searchable
          data-autofocus={drawnTo !== undefined || undefined}
          placeholder="Select a relation type"
          data={offered.map((value) => ({ value, label: labelOfType(value) }))}
          value={type || null}
          error={errors.type}
          onChange={(value) => setType(value ?? '')}
        />
        <EntityPicker
          label={isOutgoing ? 'To Entity' : 'From Entity'}
          value={other}
          excludedId={entity.id}
          autoFocus={drawnTo === undefined}
          error={isOutgoing ? errors.toEntityId : errors.fromEntityId}
          onChange={setOther}
        />
      </div>
      {save.error && <ErrorAlert message={messageOf(save.error, 'Failed to save relation')} />}
      <div className={classes.buttons}>
        <Button size="xs" variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={save.isPending}>
          Create Relation
        </Button>
      </div>
    </form>
  )
}
