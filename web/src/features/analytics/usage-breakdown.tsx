import type { OperationCounts } from '@loci/contract/analytics'
import { formatNumber } from '../../lib/format.ts'
import classes from './usage-breakdown.module.css'

const parts = [
  { key: 'queries', label: 'Queries' },
  { key: 'creates', label: 'Creates' },
  { key: 'updates', label: 'Updates' },
  { key: 'deletes', label: 'Deletes' },
] as const

/** Operations by kind, each with its share of the total: one bar, and the figures below it. */
export function UsageBreakdown({ counts }: { counts: OperationCounts }) {
  const shareOf = (count: number) => (counts.total === 0 ? 0 : (count / counts.total) * 100)
  return (
    <div className={classes.breakdown}>
      <div className={classes.bar} aria-hidden>
        {parts
          .filter(({ key }) => counts[key] > 0)
          .map(({ key }) => (
            <span key={key} data-part={key} style={{ flexGrow: counts[key] }} />
          ))}
      </div>
      <ul className={classes.list}>
        {parts.map(({ key, label }) => (
          <li key={key}>
            <span className={classes.swatch} data-part={key} aria-hidden />
            <span>{label}</span>
            <Figures count={counts[key]} share={shareOf(counts[key])} />
          </li>
        ))}
        <li className={classes.total}>
          <span>Total operations</span>
          <Figures count={counts.total} share={counts.total > 0 ? 100 : 0} />
        </li>
      </ul>
    </div>
  )
}

const Figures = ({ count, share }: { count: number; share: number }) => (
  <>
    <span className={classes.count}>{formatNumber(count)}</span>
    <span className={classes.share}>{Math.round(share)}%</span>
  </>
)
