import { useOpenCount } from '../../features/inbox/inbox.queries.ts'
import { formatNumber } from '../../lib/format.ts'
import classes from './top-nav.module.css'

const shownMax = 999

/** How many decisions wait in the inbox; nothing if none does. */
export function InboxCount() {
  const { data: open = 0 } = useOpenCount()
  if (open === 0) return null
  return (
    <span className={classes.badge}>
      {open > shownMax ? `${formatNumber(shownMax)}+` : open}
      <span className="loci-unseen"> to decide</span>
    </span>
  )
}
