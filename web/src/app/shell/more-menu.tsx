import { Menu } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { InboxCount } from './inbox-count.tsx'
import { sideItems } from './nav-items.ts'
import classes from './top-nav.module.css'

/** The second group of links where there is no room for it. */
export function MoreMenu() {
  const { pathname } = useLocation()
  const isHere = sideItems.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    <Menu position="bottom" width={200}>
      <Menu.Target>
        <button
          type="button"
          className={`${classes.link} ${classes.more}`}
          aria-current={isHere ? 'true' : undefined}
        >
          <IconDots size={20} stroke={1.75} className={classes.icon} aria-hidden />
          More
          <InboxCount />
          <IconChevronDown size={14} className={classes.chevron} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {sideItems.map(({ to, label, icon: Icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            leftSection={<Icon size={16} />}
            rightSection={to === '/inbox' && <InboxCount />}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
