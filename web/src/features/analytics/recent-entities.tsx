import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../lib/format.ts'
import { Panel } from '../../ui/frame.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import classes from './recent-entities.module.css'

const entitiesShown = 5

type RecentEntitiesProps = Pick<AnalyticsSummary, 'recentEntities' | 'totalEntities'> & {
  /** Set if the entities failed to load. */
  onRetry: (() => void) | undefined
}

export function RecentEntities({ recentEntities, totalEntities, onRetry }: RecentEntitiesProps) {
  const shown = recentEntities.slice(0, entitiesShown)
  return (
    <Panel
      title="Recent Entities"
      flush
      aside={
        totalEntities > 0 && (
          <Link to="/entities" className={rows.more}>
            All {formatNumber(totalEntities)}
          </Link>
        )
      }
    >
      {onRetry ? (
        <NotLoaded onRetry={onRetry} />
      ) : shown.length === 0 ? (
        <p className={rows.nothing}>No entities yet</p>
      ) : (
        <ul className={classes.list}>
          {shown.map(({ id, name, type, created_at: createdAt }) => (
            <li key={id}>
              <Link to="/entities/$entityId" params={{ entityId: id }} className={classes.row}>
                <TypeDot type={type} />
                <span className={`${rows.main} ${rows.name}`} dir="auto">
                  {name}
                </span>
                <span className={classes.type} title={type}>
                  {type}
                </span>
                <span className={classes.time}>
                  <TimeText iso={createdAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
