import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './meter.module.css'

type MeterProps = { label: string; value: ReactNode; percent: number; color?: string }

/** A labelled bar; capped at 100%, red above it. */
export function Meter({ label, value, percent, color = 'iris' }: MeterProps) {
  return (
    <div className={classes.meter}>
      <div className={classes.head}>
        <span>{label}</span>
        <span className={classes.value}>{value}</span>
      </div>
      <Progress
        value={Math.min(100, percent)}
        color={percent > 100 ? 'red' : color}
        size={6}
        aria-label={label}
      />
    </div>
  )
}
