import { Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useAgents } from '../../features/agents/agents.queries.ts'
import { SpaceMenu } from '../../features/spaces/space-menu.tsx'
import { useSpaces } from '../../lib/spaces.ts'
import { LociMark } from '../../ui/loci-mark.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import { InboxCount } from './inbox-count.tsx'
import { KeptWidth } from './kept-width.tsx'
import { modifierKey } from './modifier-key.ts'
import { MoreMenu } from './more-menu.tsx'
import { navItems, sideItems } from './nav-items.ts'
import { ShellAgents } from './shell-agents.tsx'
import classes from './top-nav.module.css'
import { UserMenu } from './user-menu.tsx'

type TopNavProps = { onOpenPalette: () => void; onHelp: () => void }

export function TopNav({ onOpenPalette, onHelp }: TopNavProps) {
  const { data: spaces } = useSpaces()
  const { data: agents } = useAgents()
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Link to="/dashboard" className={classes.home} aria-label="Loci">
          <LociMark size={24} />
        </Link>
        <KeptWidth name="space menu" isLoading={spaces === undefined}>
          <SpaceMenu />
        </KeptWidth>
        <div className={classes.places}>
          <NavLinks label="Main" items={navItems} />
          <NavLinks label="Look back" items={sideItems} />
          <MoreMenu />
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
          <KeptWidth name="agents" isLoading={agents === undefined}>
            <ShellAgents />
          </KeptWidth>
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
        {to === '/inbox' && <InboxCount />}
      </Link>
    ))}
  </nav>
)
