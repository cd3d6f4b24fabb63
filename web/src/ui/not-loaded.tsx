import classes from './not-loaded.module.css'

/** In a panel whose content could not be loaded: never a false empty state. */
export const NotLoaded = ({ onRetry }: { onRetry: () => void }) => (
  <p className={classes.text}>
    Could not be loaded.{' '}
    <button type="button" className={classes.again} onClick={onRetry}>
      Try again
    </button>
  </p>
)
