import type { Space } from '@loci/contract/spaces'
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconPencil, IconPlus, IconSelector, IconTrash } from '@tabler/icons-react'
import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { useDialog } from '../../ui/use-dialog.ts'
import { type SpaceDialogName, SpaceDialogs } from './space-dialogs.tsx'
import { OtherAccounts, SpaceList } from './space-list.tsx'
import classes from './space-menu.module.css'
import { useSwitchSpace } from './use-switch-space.ts'

/** Shows the current account and space, and switches to others. */
export function SpaceMenu() {
  const { data: spaces, refetch } = useSpaces()
  const { space: named } = useScope()
  const user = useUser()
  const switchTo = useSwitchSpace()
  const dialog = useDialog<SpaceDialogName, Space>()
  if (!spaces || !user) return null
  const { role } = user
  const current = spaceOf(spaces, named)
  const account = user.accounts.find(({ id }) => id === user.accountId)!
  const others = user.accounts.filter(({ id }) => id !== user.accountId)
  return (
    <>
      <Menu position="bottom-start" width={264} onOpen={() => void refetch()}>
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <VisuallyHidden>Space: </VisuallyHidden>
            <span className={classes.place}>
              <bdi className={classes.account} title={account.name}>
                {account.name}
              </bdi>
              <span className={classes.slash}> / </span>
              <bdi className={classes.name} title={current?.name}>
                {current?.name ?? 'Choose a space'}
              </bdi>
            </span>
            <IconSelector size={14} className={classes.chevron} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.list}>
            <SpaceList
              account={account}
              spaces={spaces}
              current={current}
              onChoose={(space) => switchTo(space, spaces)}
            />
            <OtherAccounts accounts={others} />
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
