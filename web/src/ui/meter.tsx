import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './meter.module.css'

type MeterProps = { label: string; value: ReactNode; percent: number }

/** A labelled bar; capped at 100%, red above it. */
export function Meter({ label, value, percent }: MeterProps) {
  return (
    <div className={classes.meter}>
      <div className={classes.head}>
        <span>{label}</span>
        <span className={classes.value}>{value}</span>
      </div>
      <Progress.Root size={4}>
        <Progress.Section
          value={Math.min(100, percent)}
          color={percent > 100 ? 'red' : 'var(--loci-ink-2)'}
          withAria={false}
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(Math.min(100, percent))}
          aria-valuetext={wordsOf(value, percent)}
        />
      </Progress.Root>
    </div>
  )
}

/** `420 of 1,000, 42%`: the accessible value, also above the limit, where the bar is merely full. */
export function wordsOf(value: ReactNode, percent: number): string {
  const share = `${Math.round(percent)}%`
  return typeof value === 'string' ? (percent > 0 ? `${value}, ${share}` : value) : share
}
