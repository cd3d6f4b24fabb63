import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { type OtherSpace, useMoveSelected } from './move.queries.ts'
import type { Selected } from './use-selection.ts'

type MoveDialogProps = {
  opened: boolean
  entities: readonly Selected[]
  spaces: readonly OtherSpace[]
  onClose: () => void
  /** Called on success, in addition to `onClose`. */
  onDone: () => void
}

/** Asks for the space to move entities to. */
export function MoveSelectedDialog({ opened, entities, spaces, onClose, onDone }: MoveDialogProps) {
  const { mutate, isPending } = useMoveSelected()
  const [chosen, setChosen] = useState<string | null>(null)
  const to = spaces.find(({ id }) => id === chosen) ?? spaces[0]
  const move = (target: OtherSpace) =>
    mutate(
      { ids: entities.map(({ id }) => id), to: target },
      {
        onSuccess: () => {
          onClose()
          onDone()
        },
      },
    )
  return (
    <Modal opened={opened} onClose={onClose} title="Move Entities">
      <Stack>
        <Select
          label={`Space for ${countOf(entities.length, 'entity', 'entities')}`}
          data-autofocus
          allowDeselect={false}
          searchable={spaces.length > 8}
          data={spaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={to?.id ?? null}
          onChange={setChosen}
        />
        <Text c="dimmed">
          Observations and history go with them. Relations to entities that stay here are deleted.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isPending} disabled={to === undefined} onClick={() => to && move(to)}>
            Move
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
