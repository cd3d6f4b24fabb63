import { ActionIcon, Tooltip } from '@mantine/core'
import { IconClock, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { formatDate, formatMoment, formatTime } from '../../lib/format.ts'
import classes from './time-bar.module.css'
import type { TimeSpan } from './time-span.ts'
import { useTimeTravel } from './use-time-travel.ts'

type TimeBarProps = {
  span: TimeSpan
  /** The moment shown; now if undefined. */
  asOf: string | undefined
  open: boolean
  onToggle: () => void
  /** Previews a moment without asking the server; null shows everything. */
  onPreview: (time: number | null) => void
  onChange: (asOf: string | undefined) => void
}

const steps = 480
const dayMs = 86_400_000

/** The time slider: dragging hides later nodes, releasing loads the graph as of that moment. */
export function TimeBar({ span, asOf, open, onToggle, ...on }: TimeBarProps) {
  const { time, change, playing, play, drag, rest } = useTimeTravel(span, asOf, on)
  if (!open) return <Unfold onClick={onToggle} />
  const part = (time - span.start) / (span.end - span.start)
  const { day, detail, spoken } = change === undefined ? wordsOf(time, span) : wordsOfChange(change)
  const label = playing ? 'Pause' : 'Play'
  return (
    <section className={classes.bar} aria-label="Time">
      <Tooltip label={label}>
        <ActionIcon aria-label={label} onClick={play}>
          {playing ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        </ActionIcon>
      </Tooltip>
      <div className={classes.track}>
        <Histogram counts={span.counts} part={part} />
        <input
          type="range"
          className={classes.range}
          aria-label="Moment"
          aria-valuetext={spoken}
          min={0}
          max={steps}
          value={Math.round(part * steps)}
          onChange={(event) => drag(momentAt(span, event.currentTarget.valueAsNumber))}
          onPointerUp={rest}
          onKeyUp={rest}
          onBlur={rest}
        />
      </div>
      <div className={classes.moment}>
        <span className={classes.day}>{day}</span>
        <span className={classes.detail}>{detail}</span>
      </div>
      <Tooltip label="Hide time">
        <ActionIcon aria-label="Hide time" onClick={onToggle}>
          <IconX size={14} />
        </ActionIcon>
      </Tooltip>
    </section>
  )
}

function Unfold({ onClick }: { onClick: () => void }) {
  return (
    <Tooltip label="Show time">
      <ActionIcon className={classes.unfold} size={34} aria-label="Show time" onClick={onClick}>
        <IconClock size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

function Histogram({ counts, part }: { counts: readonly number[]; part: number }) {
  const most = Math.max(1, ...counts)
  return (
    <div className={classes.bars} aria-hidden>
      {counts.map((count, index) => (
        <span
          key={index}
          className={classes.column}
          data-later={index / counts.length >= part || undefined}
          style={{ height: count === 0 ? 1 : `${8 + 92 * Math.sqrt(count / most)}%` }}
        />
      ))}
    </div>
  )
}

function momentAt({ start, end }: TimeSpan, step: number): number {
  return start + ((end - start) * step) / steps
}

const wordsOfChange = (change: string) => ({
  day: `Change ${change}`,
  detail: 'as it was',
  spoken: `After change ${change}`,
})

function wordsOf(time: number, span: TimeSpan) {
  const moment = new Date(time).toISOString()
  const isNow = time >= span.end
  return {
    day: formatDate(moment),
    detail: isNow ? 'now' : isLong(span) ? 'as it was' : formatTime(moment),
    spoken: isNow ? 'Now' : formatMoment(moment),
  }
}

/** Long enough that the time of day says nothing. */
const isLong = ({ start, end }: TimeSpan): boolean => end - start >= 30 * dayMs
