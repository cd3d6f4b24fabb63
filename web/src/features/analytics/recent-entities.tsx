import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Link } from '@tanstack/react-router'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import classes from './recent-entities.module.css'

const entitiesShown = 5

export function RecentEntities({ entities }: { entities: AnalyticsSummary['recentEntities'] }) {
  const shown = entities.slice(0, entitiesShown)
  return (
    <Section title="Recent Entities" flush>
      {shown.length === 0 ? (
        <p className={rows.none}>No entities yet</p>
      ) : (
        <ul className={rows.list}>
          {shown.map(({ id, name, type, created_at: createdAt }) => (
            <li key={id}>
              <Link to="/entities/$entityId" params={{ entityId: id }} className={rows.row}>
                <span className={`${rows.main} ${rows.name}`} dir="auto">
                  {name}
                </span>
                <span className={classes.type}>
                  <TypeBadge type={type} />
                </span>
                <span className={rows.dim}>
                  <TimeText iso={createdAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
