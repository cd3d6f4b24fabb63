import { IconLock } from '@tabler/icons-react'
import classes from './turn.module.css'

/** Where something was removed before it was stored. */
export const RemovedMark = ({ kind }: { kind: string }) => (
  <span className={classes.removed}>
    <IconLock size={12} aria-hidden />
    {kind === 'private' ? 'A private passage was not stored' : `redacted: ${kind}`}
  </span>
)
