import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { logOut, useUser } from '../../lib/session.ts'
import { mayDiscard } from '../../lib/unsaved.ts'
import { userItems } from './nav-items.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import classes from './user-menu.module.css'

export function UserMenu() {
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
        {userItems.map(({ to, label, icon: Icon }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <SchemeSwitch />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => void leave()}
        >
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

async function leave(): Promise<void> {
  if (await mayDiscard()) await logOut()
}
