import classes from './loading-screen.module.css'
import { LociMark } from './loci-mark.tsx'

/** Covers the page while the session is checked. */
export function LoadingScreen() {
  return (
    <main className={classes.screen} aria-busy="true">
      <div className={classes.mark}>
        <LociMark size={36} />
      </div>
      <p role="status" className={classes.text}>
        Loading...
      </p>
    </main>
  )
}
