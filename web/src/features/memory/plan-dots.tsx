import { memo } from 'react'
import type { TypeColor } from '../../lib/type-palette.ts'
import { dotPlaces, type Rect, type Room } from './room-plan.ts'

type PlanDotsProps = { room: Room & Rect; color: TypeColor }

/** A dot for each entity of a room, as many as fit. Sizes vary so that the dots do not look like a grid. */
export const PlanDots = memo(function PlanDots({ room, color: { color, isRing } }: PlanDotsProps) {
  return (
    <g fill={isRing ? 'none' : color} stroke={isRing ? color : 'none'} strokeWidth={1.5}>
      {dotPlaces(room).map(({ x, y, radius, isLarge }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} opacity={isLarge ? 1 : 0.75} />
      ))}
    </g>
  )
})
