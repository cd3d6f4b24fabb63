import type { User } from '@loci/contract/auth'
import { Kbd, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconKeyboard, IconLogout, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { labelOfRole } from '../../features/members/roles.ts'
import { allowedTo } from '../../lib/allowed-to.ts'
import { useUser } from '../../lib/session.ts'
import { switchAccount } from '../../lib/switch-account.ts'
import { leaveSession } from './leave-session.ts'
import { userItems } from './nav-items.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import classes from './user-menu.module.css'

export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const user = useUser()
  const email = user?.email ?? 'User'
  return (
    <Menu width={264} position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.avatar}>
          <span aria-hidden>{initialsOf(user?.firstName, user?.lastName, email)}</span>
          <VisuallyHidden>User menu</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.email}>{email}</Menu.Label>
        {user && user.accounts.length > 1 && <AccountItems user={user} />}
        {allowedTo(user?.role, userItems).map(({ to, label, icon: Icon }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <SchemeSwitch />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection={<Kbd size="xs">?</Kbd>}
          className={classes.shortcuts}
          onClick={onHelp}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leaveSession()}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The accounts of a user who belongs to several. */
function AccountItems({ user }: { user: User }) {
  return (
    <>
      {user.accounts.map(({ id, name, role }) => (
        <Menu.Item
          key={id}
          leftSection={<IconUsers size={16} />}
          rightSection={id === user.accountId ? <IconCheck size={16} aria-label="Shown now" /> : undefined}
          onClick={() => switchAccount(id)}
        >
          {name} ({labelOfRole(role)})
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}

function initialsOf(firstName = '', lastName = '', email: string): string {
  const initials = [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('')
  return (initials || [...email][0] || 'U').toUpperCase()
}
