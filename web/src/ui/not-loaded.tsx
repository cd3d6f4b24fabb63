import classes from './not-loaded.module.css'

/** For panels whose content failed to load: never show a false empty state. */
export const NotLoaded = ({ onRetry }: { onRetry: () => void }) => (
  <p className={classes.text}>
    Could not be loaded.{' '}
    <button type="button" className={classes.again} onClick={onRetry}>
      Try again
    </button>
  </p>
)
