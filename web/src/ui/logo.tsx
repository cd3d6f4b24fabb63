import { LociMark } from './loci-mark.tsx'
import classes from './logo.module.css'

export function Wordmark({ size = 22 }: { size?: number }) {
  return (
    <span className={classes.wordmark} style={{ fontSize: size * 0.8 }}>
      <LociMark size={size} />
      Loci
    </span>
  )
}
