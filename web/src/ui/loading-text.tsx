import { Loader } from '@mantine/core'
import classes from './loading-text.module.css'

/** A spinner that says what it waits for. */
export function LoadingText({ children }: { children: string }) {
  return (
    <div className={classes.loading} role="status">
      <Loader size="sm" aria-hidden />
      {children}
    </div>
  )
}
