import type { EntityTypeCount } from '@loci/contract/entities'
import { entityTypeMax, fixedColourOf } from '@loci/contract/entity-types'
import {
  ActionIcon,
  Button,
  Group,
  Modal,
  Popover,
  ScrollArea,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { formatNumber } from '../../lib/format.ts'
import { colorOfPlace, typePalette } from '../../lib/type-palette.ts'
import { useScheme } from '../../lib/use-scheme.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { useUpdateType } from './types.queries.ts'
import classes from './types-dialog.module.css'

type TypesDialogProps = { opened: boolean; onClose: () => void }

/** Every type of the space, to rename and colour. */
export function TypesDialog({ opened, onClose }: TypesDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Entity Types" scrollAreaComponent={ScrollArea.Autosize}>
      <Text c="dimmed" mb="sm">
        Renaming a type changes all its entities. Giving it the name of another type merges the two.
      </Text>
      <TypeList />
    </Modal>
  )
}

function TypeList() {
  const { data: types = [] } = useEntityTypes()
  const [renamed, setRenamed] = useState<string>()
  if (types.length === 0) return <Text>No types yet. They appear with the first entities.</Text>
  return (
    <ul aria-label="Types">
      {types.map((type) => (
        <li key={type.type} className={classes.row}>
          <ColourPicker type={type} />
          {renamed === type.type ? (
            <RenameForm type={type.type} onDone={() => setRenamed(undefined)} />
          ) : (
            <>
              <bdi className={classes.name} title={type.type}>
                {type.type}
              </bdi>
              <span className={classes.count}>{formatNumber(type.count)}</span>
              <ActionIcon aria-label={`Rename ${type.type}`} onClick={() => setRenamed(type.type)}>
                <IconPencil size={15} />
              </ActionIcon>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function RenameForm({ type, onDone }: { type: string; onDone: () => void }) {
  const [name, setName] = useState(type)
  const update = useUpdateType()
  function submit(event: FormEvent) {
    event.preventDefault()
    const next = name.trim()
    if (next === '' || next === type) return onDone()
    return update.mutate({ type, change: { type: next } }, { onSuccess: onDone })
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        autoFocus
        size="xs"
        className={classes.field}
        aria-label={`New name of ${type}`}
        maxLength={entityTypeMax}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        // Esc closes the field, not the dialog around it.
        data-mantine-stop-propagation
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone()
        }}
      />
      <Group gap={4} wrap="nowrap">
        <Button size="xs" variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={update.isPending}>
          Rename
        </Button>
      </Group>
    </form>
  )
}

function ColourPicker({ type: { type, colour } }: { type: EntityTypeCount }) {
  const scheme = useScheme()
  const [opened, setOpened] = useState(false)
  const update = useUpdateType()
  const isFixed = fixedColourOf(type) !== undefined
  const choose = (place: number) => {
    setOpened(false)
    if (place !== colour) update.mutate({ type, change: { colour: place } })
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withinPortal shadow="md" position="bottom-start">
      <Popover.Target>
        <UnstyledButton
          className={classes.swatch}
          disabled={isFixed}
          aria-label={`Colour of ${type}`}
          title={isFixed ? 'The colour of this type is fixed' : 'Choose a colour'}
          onClick={() => setOpened((now) => !now)}
        >
          <TypeDot type={type} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.palette} role="group">
        {Array.from({ length: 2 * typePalette.length }, (_, index) => index + 1).map((place) => {
          const { color, isRing } = colorOfPlace(place, scheme)
          return (
            <UnstyledButton
              key={place}
              className={classes.colour}
              data-mantine-stop-propagation
              aria-label={`Colour ${place}`}
              aria-pressed={place === colour}
              onClick={() => choose(place)}
            >
              <span className={classes.dot} data-ring={isRing || undefined} style={{ color }} />
            </UnstyledButton>
          )
        })}
      </Popover.Dropdown>
    </Popover>
  )
}
