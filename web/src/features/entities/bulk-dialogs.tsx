import { entityTypeMax } from '@loci/contract/entity-types'
import { Autocomplete, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { countOf } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { type BulkChange, useBulkChange } from './bulk.queries.ts'
import classes from './bulk-dialogs.module.css'
import type { Selected } from './use-selection.ts'

type BulkDialogProps = {
  opened: boolean
  entities: readonly Selected[]
  onClose: () => void
  /** Called on success, in addition to `onClose`. */
  onDone: () => void
}

const namesShown = 5

function useChange({ onClose, onDone }: BulkDialogProps) {
  const { mutate, isPending } = useBulkChange()
  const run = (change: BulkChange) =>
    mutate(change, {
      onSuccess: () => {
        onClose()
        onDone()
      },
    })
  return { run, isPending }
}

export function DeleteSelectedDialog(props: BulkDialogProps) {
  const { opened, entities, onClose } = props
  const { run, isPending } = useChange(props)
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Entities"
      confirmLabel="Delete"
      pending={isPending}
      onClose={onClose}
      onConfirm={() => run({ kind: 'delete', ids: entities.map(({ id }) => id) })}
    >
      Are you sure you want to delete {countOf(entities.length, 'entity', 'entities')}, with their
      observations and relations?
      <Names entities={entities} />
    </ConfirmDialog>
  )
}

function Names({ entities }: { entities: readonly Selected[] }) {
  const more = entities.length - namesShown
  return (
    <ul className={classes.names}>
      {entities.slice(0, namesShown).map(({ id, name, type }) => (
        <li key={id}>
          <TypeDot type={type} />
          <bdi className={classes.name}>{name}</bdi>
        </li>
      ))}
      {more > 0 && <li>and {countOf(more, 'more', 'more')}</li>}
    </ul>
  )
}

export function RetypeSelectedDialog(props: BulkDialogProps) {
  const { opened, entities, onClose } = props
  const { run, isPending } = useChange(props)
  return (
    <Modal opened={opened} onClose={onClose} title="Change Type">
      <RetypeForm
        count={entities.length}
        isPending={isPending}
        onCancel={onClose}
        onSubmit={(type) => run({ kind: 'retype', ids: entities.map(({ id }) => id), type })}
      />
    </Modal>
  )
}

type RetypeFormProps = {
  count: number
  isPending: boolean
  onCancel: () => void
  onSubmit: (type: string) => void
}

function RetypeForm({ count, isPending, onCancel, onSubmit }: RetypeFormProps) {
  const { data: types = [] } = useEntityTypes()
  const [type, setType] = useState('')
  const [error, setError] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (type.trim() === '') return setError('Type is required')
    return onSubmit(type.trim())
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Autocomplete
          label={`New type of ${countOf(count, 'entity', 'entities')}`}
          placeholder="Choose a type or write a new one"
          data-autofocus
          maxLength={entityTypeMax}
          data={types.map((known) => known.type)}
          value={type}
          error={error}
          onChange={setType}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Change Type
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function MergeSelectedDialog(props: BulkDialogProps) {
  const { opened, entities, onClose } = props
  const { run, isPending } = useChange(props)
  const [chosen, setChosen] = useState<string>()
  const into = entities.find(({ id }) => id === chosen) ?? entities[0]
  return (
    <Modal opened={opened} onClose={onClose} title="Merge Entities">
      <Stack>
        <Text c="dimmed">
          Observations and relations move to the entity you keep. The other names become its aliases.
        </Text>
        <Radio.Group label="Which one do you want to keep?" value={into?.id ?? ''} onChange={setChosen}>
          <Stack gap={8} mt="xs" className={classes.choices}>
            {entities.map(({ id, name, type }) => (
              <Radio
                key={id}
                value={id}
                label={
                  <span className={classes.choice}>
                    <TypeDot type={type} />
                    <bdi className={classes.name}>{name}</bdi>
                  </span>
                }
              />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={isPending}
            disabled={into === undefined}
            onClick={() => into && run({ kind: 'merge', ids: entities.map(({ id }) => id), into })}
          >
            Merge
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
