import { IconCloudOff } from '@tabler/icons-react'
import { type Reachability, useReachability } from '../../lib/reachability.ts'
import classes from './connection-banner.module.css'

const texts: Record<Exclude<Reachability, 'reachable'>, string> = {
  offline: 'You are offline. This page shows what was last loaded, and nothing can be saved.',
  unreachable:
    'The server cannot be reached. Trying again every few seconds; nothing can be saved until then.',
}

/** Shown while the server cannot be reached. */
export function ConnectionBanner() {
  const state = useReachability()
  return (
    <div role="status">
      {state !== 'reachable' && (
        <p className={classes.banner}>
          <IconCloudOff size={16} aria-hidden />
          {texts[state]}
        </p>
      )}
    </div>
  )
}
