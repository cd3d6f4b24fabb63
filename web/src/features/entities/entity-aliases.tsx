import { type EntityWithObservations, entityNameMax } from '@loci/contract/entities'
import { Button, CloseButton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useUnsaved } from '../../lib/unsaved.ts'
import classes from './entity-title.module.css'
import { revisionProblem, useReviseEntity } from './revise-entity.ts'

type AliasesProps = {
  entity: EntityWithObservations
  version: string | null
  isReadOnly: boolean
  /** Whether the field for a new alias is open. */
  isAdding: boolean
  onAdding: (isAdding: boolean) => void
}

const shownMax = 12

/** An entity's aliases, with controls to add and remove them; renders nothing if there are none. */
export function EntityAliases({ entity, version, isReadOnly, isAdding, onAdding }: AliasesProps) {
  const revise = useReviseEntity(entity, version)
  const [isOpen, setOpen] = useState(false)
  const { aliases = [] } = entity
  if (aliases.length === 0 && !isAdding) return null
  const shown = isOpen ? aliases : aliases.slice(0, shownMax)
  const remove = (alias: string) =>
    revise.mutate({
      revision: { aliases: aliases.filter((other) => other !== alias) },
      told: 'Alias removed',
    })
  return (
    <div className={classes.aliases}>
      <span>Also known as</span>
      {shown.map((alias) => (
        <span key={alias} className={classes.alias} data-read-only={isReadOnly || undefined} title={alias}>
          <bdi>{alias}</bdi>
          {!isReadOnly && (
            <CloseButton size="xs" aria-label={`Remove alias ${alias}`} onClick={() => remove(alias)} />
          )}
        </span>
      ))}
      {aliases.length > shown.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
          {aliases.length - shown.length} more
        </Button>
      )}
      {!isReadOnly && !isAdding && (
        <Button size="compact-xs" variant="subtle" onClick={() => onAdding(true)}>
          Add alias
        </Button>
      )}
      {isAdding && <NewAlias entity={entity} version={version} onClose={() => onAdding(false)} />}
    </div>
  )
}

type NewProps = Pick<AliasesProps, 'entity' | 'version'> & { onClose: () => void }

function NewAlias({ entity, version, onClose }: NewProps) {
  const [alias, setAlias] = useState('')
  const revise = useReviseEntity(entity, version)
  useUnsaved(alias.trim() !== '', revise.isPending)

  function submit(event: FormEvent) {
    event.preventDefault()
    const added = alias.trim()
    if (added === '' || revise.isPending) return
    const revision = { aliases: [...(entity.aliases ?? []), added] }
    revise.mutate({ revision, told: 'Alias added' }, { onSuccess: onClose })
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="xs"
        aria-label="New alias"
        placeholder="Another name"
        dir="auto"
        autoFocus
        maxLength={entityNameMax}
        value={alias}
        error={revisionProblem(revise.error)}
        onChange={(event) => setAlias(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
      <Button size="xs" type="submit" loading={revise.isPending} disabled={alias.trim() === ''}>
        Add
      </Button>
      <Button size="xs" variant="subtle" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}
