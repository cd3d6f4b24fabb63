import { memo } from 'react'
import type { TypeColor } from '../../lib/type-palette.ts'
import classes from './memory-plan.module.css'
import { letterWidth, shorten } from './plan-text.ts'
import { dotPlaces, type Rect, type Room } from './room-plan.ts'

type PlanDotsProps = {
  room: Room & Rect
  color: TypeColor
  /** Of entities of this type, as far as they are known. */
  names?: readonly string[] | undefined
}

/** A dot for each entity of a room, as many as fit; up to five with their names. */
export const PlanDots = memo(function PlanDots({
  room,
  color: { color, isRing },
  names = [],
}: PlanDotsProps) {
  const dots = dotPlaces(room)
  return (
    <>
      <g fill={isRing ? 'none' : color} stroke={isRing ? color : 'none'} strokeWidth={1.5}>
        {dots.map(({ x, y, radius, isLarge }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} opacity={isLarge ? 1 : 0.75} />
        ))}
      </g>
      {dots.map(({ x, y, labelWidth }, index) => {
        const name = names[index]
        return (
          labelWidth > 0 &&
          name !== undefined && (
            <text key={`${x} ${y}`} className={classes.entity} x={x} y={y + 22}>
              {shorten(name, Math.floor(labelWidth / letterWidth))}
            </text>
          )
        )
      })}
    </>
  )
})
