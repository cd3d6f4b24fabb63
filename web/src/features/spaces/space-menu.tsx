import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconPencil, IconPlus, IconSelector, IconTrash } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { useDialog } from '../../ui/use-dialog.ts'
import { type SpaceDialogName, SpaceDialogs } from './space-dialogs.tsx'
import classes from './space-menu.module.css'
import { spaceOf } from './spaces.rules.ts'
import { useSwitchSpace } from './use-switch-space.ts'

/** Shows the current space and switches to others. */
export function SpaceMenu() {
  const { data: spaces, refetch } = useSpaces()
  const { space: named } = useScope()
  const role = useUser()?.role
  const switchTo = useSwitchSpace()
  const dialog = useDialog<SpaceDialogName, never>()
  if (!spaces) return null
  const current = spaceOf(spaces, named)
  return (
    <>
      <Menu position="bottom-start" width={264} onOpen={() => void refetch()}>
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <VisuallyHidden>Space: </VisuallyHidden>
            <bdi className={classes.name} title={current?.name}>
              {current?.name ?? 'Choose a space'}
            </bdi>
            <IconSelector size={14} className={classes.chevron} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.list}>
            <Menu.RadioGroup
              value={current?.id ?? null}
              onChange={(id) => {
                const chosen = spaces.find((space) => space.id === id)
                if (chosen) switchTo(chosen, spaces)
              }}
            >
              <Menu.Label>Spaces</Menu.Label>
              {spaces.map(({ id, name, entities }) => (
                <Menu.RadioItem key={id} value={id} closeMenuOnClick>
                  <span className={classes.item}>
                    <bdi className={classes.name}>{name}</bdi>
                    <span className={classes.count}>{formatNumber(entities)}</span>
                  </span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </div>
          {role !== 'viewer' && <Menu.Divider />}
          {role !== 'viewer' && (
            <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => dialog.open('create')}>
              Create space
            </Menu.Item>
          )}
          {role !== 'viewer' && current && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => dialog.open('rename')}>
              Rename this space
            </Menu.Item>
          )}
          {role === 'owner' && current && spaces.length > 1 && (
            <Menu.Item
              color="var(--loci-bad)"
              leftSection={<IconTrash size={16} />}
              onClick={() => dialog.open('delete')}
            >
              Delete this space
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SpaceDialogs dialog={dialog} />
    </>
  )
}
