import { type EntityWithObservations, entityNameMax } from '@loci/contract/entities'
import { ActionIcon, Button, TextInput, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useUnsaved } from '../../lib/unsaved.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './entity-title.module.css'
import { revisionProblem, useReviseEntity } from './revise-entity.ts'

type TitleProps = { entity: EntityWithObservations; version: string | null; isReadOnly: boolean }

/** An entity's name, which can be edited in place. */
export function EntityTitle({ entity, version, isReadOnly }: TitleProps) {
  const [isRenaming, setRenaming] = useState(false)
  if (isRenaming) return <Renaming entity={entity} version={version} onClose={() => setRenaming(false)} />
  return (
    <div className={classes.line}>
      <Title order={1} className={classes.title} dir="auto">
        <VisibleText text={entity.name} />
      </Title>
      {!isReadOnly && (
        <ActionIcon className={classes.rename} aria-label="Rename entity" onClick={() => setRenaming(true)}>
          <IconPencil size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

type RenamingProps = Omit<TitleProps, 'isReadOnly'> & { onClose: () => void }

function Renaming({ entity, version, onClose }: RenamingProps) {
  const [name, setName] = useState(entity.name)
  const revise = useReviseEntity(entity, version)
  const trimmed = name.trim()
  useUnsaved(name !== entity.name, revise.isPending)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (trimmed === entity.name) onClose()
    else if (trimmed !== '' && !revise.isPending)
      revise.mutate({ revision: { name: trimmed }, told: 'Entity renamed' }, { onSuccess: onClose })
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <Title order={1} className="loci-unseen">
        {entity.name}
      </Title>
      <TextInput
        className={classes.field}
        aria-label="Name"
        dir="auto"
        autoFocus
        maxLength={entityNameMax}
        value={name}
        error={trimmed === '' ? 'Name is required' : revisionProblem(revise.error)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
      <Button variant="subtle" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={revise.isPending} disabled={trimmed === ''}>
        Save
      </Button>
    </form>
  )
}
