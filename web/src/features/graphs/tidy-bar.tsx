import { Button, Loader } from '@mantine/core'
import classes from './tidy-bar.module.css'
import type { Tidying } from './use-map.ts'

/** Asks whether the map that is shown on trial should be everybody's. */
export function TidyBar({ tidying: { busy, isTrial, keep, dismiss } }: { tidying: Tidying }) {
  if (!busy && !isTrial) return null
  return (
    <section className={classes.bar} aria-label="Tidy up" aria-live="polite">
      {isTrial ? (
        <>
          <span>This is how the map would look, for everybody.</span>
          <Button size="xs" onClick={keep}>
            Keep it
          </Button>
          <Button size="xs" variant="default" onClick={dismiss}>
            Put it back
          </Button>
        </>
      ) : (
        <>
          <Loader size={14} />
          <span>Drawing the map anew</span>
        </>
      )}
    </section>
  )
}
