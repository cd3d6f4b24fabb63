import { Kbd } from '@mantine/core'
import { IconAffiliate, IconDownload, IconPlus, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../lib/rights.ts'
import { Panel } from '../../ui/frame.tsx'
import classes from './quick-actions.module.css'

export function QuickActions() {
  const mayWrite = useMay('memory:write')
  return (
    <Panel title="Quick Actions" flush>
      <ul className={classes.list}>
        {mayWrite && (
          <li>
            <Link to="/entities" search={{ create: 'true' }} className={classes.row}>
              <IconPlus size={16} /> <span>Create Entity</span> <Key>C</Key>
            </Link>
          </li>
        )}
        <li>
          <Link to="/graph" className={classes.row}>
            <IconAffiliate size={16} /> <span>View Graph</span> <Key>G G</Key>
          </Link>
        </li>
        <li>
          <Link to="/search" className={classes.row}>
            <IconSearch size={16} /> <span>Search Knowledge</span> <Key>/</Key>
          </Link>
        </li>
        <li>
          <button
            type="button"
            className={classes.row}
            onClick={() => window.alert('Export functionality will be implemented soon')}
          >
            <IconDownload size={16} /> <span>Export Data</span>
          </button>
        </li>
      </ul>
    </Panel>
  )
}

/** The equivalent shortcut. */
const Key = ({ children }: { children: string }) => (
  <Kbd size="xs" className={classes.key} aria-hidden>
    {children}
  </Kbd>
)
