import { IconLock } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import classes from './removals.module.css'
import { splitAtRemovals } from './removals.ts'

/** Where something was removed before it was stored. */
export const RemovedMark = ({ kind }: { kind: string }) => (
  <span className={classes.removed}>
    <IconLock size={12} aria-hidden />
    {kind === 'private' ? 'A private passage was not stored' : `redacted: ${kind}`}
  </span>
)

/** Marks what was removed, and nothing else: for `TextMarks`. */
export const markRemovals = (text: string, show: (part: string) => ReactNode): ReactNode =>
  splitAtRemovals(text).map((piece, index) => (
    <Fragment key={index}>
      {'removed' in piece ? <RemovedMark kind={piece.removed} /> : show(piece.text)}
    </Fragment>
  ))
