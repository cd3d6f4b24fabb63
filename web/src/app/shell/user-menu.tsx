import { Kbd, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconKeyboard, IconLogout } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { allowedTo } from '../../lib/allowed-to.ts'
import { useUser } from '../../lib/session.ts'
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

function initialsOf(firstName = '', lastName = '', email: string): string {
  const initials = [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('')
  return (initials || [...email][0] || 'U').toUpperCase()
}
