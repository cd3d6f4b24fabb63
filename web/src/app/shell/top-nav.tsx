import { Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { SpaceMenu } from '../../features/spaces/space-menu.tsx'
import { LociMark } from '../../ui/loci-mark.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import { modifierKey } from './modifier-key.ts'
import { navItems, sideItems } from './nav-items.ts'
import { ShellAgents } from './shell-agents.tsx'
import classes from './top-nav.module.css'
import { UserMenu } from './user-menu.tsx'

type TopNavProps = { onOpenPalette: () => void; onHelp: () => void }

export function TopNav({ onOpenPalette, onHelp }: TopNavProps) {
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Link to="/dashboard" className={classes.home} aria-label="Loci">
          <LociMark size={24} />
        </Link>
        <SpaceMenu />
        <div className={classes.places}>
          <NavLinks label="Main" items={navItems} />
          <NavLinks label="Look back" items={sideItems} />
        </div>
        <div className={classes.end}>
          <button type="button" className={classes.search} onClick={onOpenPalette}>
            <IconSearch size={15} />
            <span className={classes.searchText}>Find anything</span>
            <Kbd size="xs" className={classes.searchKey} aria-hidden>
              {modifierKey} K
            </Kbd>
          </button>
          <ConnectionBadge />
          <ShellAgents />
          <UserMenu onHelp={onHelp} />
        </div>
      </div>
    </header>
  )
}

type Items = readonly (typeof navItems | typeof sideItems)[number][]

const NavLinks = ({ label, items }: { label: string; items: Items }) => (
  <nav className={classes.links} aria-label={label}>
    {items.map(({ to, label: name, icon: Icon }) => (
      <Link key={to} to={to} className={classes.link} activeProps={{ 'aria-current': 'page' }}>
        <Icon size={20} stroke={1.75} className={classes.icon} aria-hidden />
        {name}
      </Link>
    ))}
  </nav>
)
