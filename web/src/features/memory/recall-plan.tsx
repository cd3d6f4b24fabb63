import { useElementSize } from '@mantine/hooks'
import { useTypeColors } from '../../ui/type-colors.tsx'
import planClasses from './memory-plan.module.css'
import { planLabel, RoomLabel, sizeIn } from './memory-plan.tsx'
import { PlanDots } from './plan-dots.tsx'
import { housePath, walkPath, wallPath } from './plan-lines.ts'
import classes from './recall-plan.module.css'
import { planRooms, type Rect, type Room, stopPlaces, withOthers } from './room-plan.ts'

/** An entity of an answer, by the ranks of its rows. */
export type Stop = { id: string; type: string; label: string }

type RecallPlanProps = {
  types: readonly Room[]
  /** In the order in which they were told. */
  stops: readonly Stop[]
}

/** The memory as a floor plan, and the line that an answer walked through its rooms. */
export function RecallPlan({ types, stops }: RecallPlanProps) {
  const colorOf = useTypeColors()
  const stage = useElementSize()
  const { width, height } = sizeIn(stage)
  const house: Rect = { x: 1, y: 1, width: width - 2, height: height - 2 }
  const { rooms, walls } = planRooms(withOthers(types), house)
  const places = stopPlaces(rooms, stops)
  return (
    <div ref={stage.ref} className={planClasses.stage}>
      <svg
        className={planClasses.plan}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={labelOf(types, stops)}
      >
        <path className={planClasses.wall} d={walls.map((wall) => wallPath(wall, walls)).join('')} />
        <g className={classes.dots}>
          {rooms.map((room) => (
            <PlanDots key={room.type} room={room} color={colorOf(room.type)} />
          ))}
        </g>
        <path className={classes.walk} pathLength={1} d={walkPath(places)} key={walkPath(places)} />
        <g className={planClasses.labels}>
          {rooms.map((room) => (
            <RoomLabel key={room.type} room={room} />
          ))}
        </g>
        {places.map(({ x, y, id, type, label }) => (
          <g key={id} className={classes.stop}>
            <circle cx={x} cy={y} r={10} stroke={colorOf(type).color} />
            <text x={x} y={y + 3.8}>
              {label}
            </text>
          </g>
        ))}
        <path className={planClasses.house} d={housePath(house)} />
      </svg>
    </div>
  )
}

function labelOf(types: readonly Room[], stops: readonly Stop[]): string {
  const rooms = [...new Set(stops.map(({ type }) => type))]
  return rooms.length === 0
    ? planLabel(types)
    : `${planLabel(types)}. The answer walked through ${rooms.join(', ')}.`
}
