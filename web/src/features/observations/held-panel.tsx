import type { Observation } from '@loci/contract/observations'
import { Button, Kbd, TextInput, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { formatFactTime } from '../../lib/fact-time.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { useNow } from '../../lib/use-now.ts'
import { Panel } from '../../ui/frame.tsx'
import { changesOf, nowOnCalendar, toBars, toDay } from './held.rules.ts'
import classes from './held-panel.module.css'

type HeldProps = {
  observations: readonly Observation[]
  selected: string | undefined
  /** The moment shown; now if undefined. */
  heldAt: number | undefined
  /** Whether it shows what an unsaved change would make of it, and cannot be moved. */
  isDraft: boolean
  isActive: boolean
  onSelect: (id: string) => void
  onMove: (moment: number | undefined) => void
}

const rowsAtFirst = 8

/** When facts held, one row of bars for each and what it replaced, and a line that takes the page back. */
export function HeldPanel({
  observations,
  selected,
  heldAt,
  isDraft,
  isActive,
  onSelect,
  onMove,
}: HeldProps) {
  const now = nowOnCalendar(useNow())
  const { rows, axis } = useMemo(() => toBars(observations, now), [observations, now])
  const [isWhole, setWhole] = useState(false)
  const plot = useRef<HTMLDivElement>(null)
  const moment = heldAt ?? now
  const place = (time: number) => `${((time - axis.from) / (axis.to - axis.from)) * 100}%`
  const changes = changesOf(rows, now)
  const goTo = (time: number | undefined) => onMove(time === undefined || time >= now ? undefined : time)
  const step = (by: 1 | -1) => {
    const next = by < 0 ? changes.findLast((time) => time < moment) : changes.find((time) => time > moment)
    if (by < 0 && next === undefined) return
    goTo(next)
  }
  useScreenKeys(isActive && !isDraft ? { '[': () => step(-1), ']': () => step(1) } : {})
  function follow({ clientX, currentTarget, pointerId, type }: PointerEvent<HTMLElement>) {
    const box = plot.current?.getBoundingClientRect()
    if (isDraft || box === undefined) return
    if (type === 'pointerdown') currentTarget.setPointerCapture(pointerId)
    else if (!currentTarget.hasPointerCapture(pointerId)) return
    const part = Math.min(1, Math.max(0, (clientX - box.left) / box.width))
    goTo(axis.from + part * (axis.to - axis.from))
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined
    if (by === undefined) return
    event.preventDefault()
    step(by)
  }
  const shown = isWhole ? rows : rows.slice(0, rowsAtFirst)
  return (
    <Panel
      title="When it held"
      description={
        isDraft ? (
          'with your change'
        ) : (
          <span className={classes.hint}>
            drag the line to go back, or <Kbd size="xs">[</Kbd> <Kbd size="xs">]</Kbd>
          </span>
        )
      }
      aside={
        !isDraft && (
          <span className={classes.asOf}>
            As of
            <TextInput
              type="date"
              size="xs"
              aria-label="As of"
              value={toDay(moment)}
              max={toDay(now)}
              onChange={({ currentTarget: { value } }) => value !== '' && goTo(endOfDay(value, now))}
            />
          </span>
        )
      }
    >
      <div className={classes.chart}>
        <ul className={classes.rows}>
          {shown.map(({ chain: { top, facts }, bars }) => (
            <li
              key={top.id}
              className={classes.row}
              data-selected={facts.some(({ id }) => id === selected) || undefined}
            >
              <UnstyledButton
                className={classes.name}
                title={top.content.slice(0, 200)}
                onClick={() => onSelect(top.id)}
              >
                <bdi>{top.content.slice(0, 80)}</bdi>
              </UnstyledButton>
              <div className={classes.track} aria-hidden>
                {bars.map(({ id, from, to, kind }) => (
                  <span
                    key={id}
                    className={classes.bar}
                    data-kind={kind}
                    style={{ insetInlineStart: place(from), insetInlineEnd: `calc(100% - ${place(to)})` }}
                  />
                ))}
                {bars.slice(0, -1).map(({ id, from }) => (
                  <span key={id} className={classes.joint} style={{ insetInlineStart: place(from) }} />
                ))}
              </div>
            </li>
          ))}
        </ul>
        <div ref={plot} className={classes.plot}>
          {axis.ticks.map(({ at, label }) => (
            <span key={at} className={classes.tick} style={{ insetInlineStart: place(at) }}>
              <span>{label}</span>
            </span>
          ))}
          <div
            role="slider"
            tabIndex={isDraft ? -1 : 0}
            aria-label="Moment"
            aria-valuemin={axis.from}
            aria-valuemax={now}
            aria-valuenow={moment}
            aria-valuetext={heldAt === undefined ? 'Now' : formatFactTime(toDay(moment))}
            className={classes.line}
            data-still={isDraft || undefined}
            style={{ insetInlineStart: place(moment) }}
            onKeyDown={onKeyDown}
            onPointerDown={follow}
            onPointerMove={follow}
          />
        </div>
      </div>
      {rows.length > rowsAtFirst && !isWhole && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          Show {rows.length - rowsAtFirst} more
        </Button>
      )}
    </Panel>
  )
}

/** What was true at the end of a day; today means now. */
const endOfDay = (day: string, now: number) => (day >= toDay(now) ? undefined : Date.parse(day) + dayMs - 1)
const dayMs = 86_400_000
