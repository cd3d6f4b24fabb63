import { IconAffiliate, IconDownload, IconPlus, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import classes from './quick-actions.module.css'

export function QuickActions() {
  return (
    <Section title="Quick Actions" flush>
      <ul className={rows.list}>
        <li>
          <Link to="/entities" search={{ create: 'true' }} className={rows.row}>
            <IconPlus size={16} className={classes.icon} /> Create Entity
          </Link>
        </li>
        <li>
          <Link to="/graph" className={rows.row}>
            <IconAffiliate size={16} className={classes.icon} /> View Graph
          </Link>
        </li>
        <li>
          <Link to="/search" className={rows.row}>
            <IconSearch size={16} className={classes.icon} /> Search Knowledge
          </Link>
        </li>
        <li>
          <button
            type="button"
            className={`${rows.row} ${classes.button}`}
            onClick={() => window.alert('Export functionality will be implemented soon')}
          >
            <IconDownload size={16} className={classes.icon} /> Export Data
          </button>
        </li>
      </ul>
    </Section>
  )
}
