import type { RealtimeStatus } from '@loci/client/realtime'
import { Tooltip } from '@mantine/core'
import { useConnectionStatus } from '../../lib/live.ts'
import { useReachability } from '../../lib/reachability.ts'
import classes from './connection-badge.module.css'

const labels: Record<RealtimeStatus, string> = {
  connecting: 'Connecting',
  connected: 'Connected',
  disconnecting: 'Disconnecting',
  disconnected: 'Disconnected',
}

const hints: Record<RealtimeStatus, string> = {
  connecting: 'Opening the live connection',
  connected: 'Changes by your agents appear at once',
  disconnecting: 'Closing the live connection',
  disconnected: 'Live changes are paused; pages still work',
}

/** Shows whether live changes reach this page. */
export function ConnectionBadge() {
  const live = useConnectionStatus()
  const isReachable = useReachability() === 'reachable'
  const status = live && !isReachable ? 'disconnected' : live
  return (
    <Tooltip label={status ? hints[status] : 'No live connection yet'}>
      <span className={classes.badge} data-status={status ?? 'unknown'} role="status">
        <span className={classes.dot} aria-hidden />
        <span className={classes.label}>{status ? labels[status] : 'Unknown'}</span>
      </span>
    </Tooltip>
  )
}
