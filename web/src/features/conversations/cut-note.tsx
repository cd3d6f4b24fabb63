import { formatBytes } from '../../lib/format.ts'
import classes from './turn.module.css'

/** Says how much of a turn was not stored. */
export const CutNote = ({ cut }: { cut: number }) => (
  <p className={classes.cut}>{formatBytes(cut)} left out</p>
)
