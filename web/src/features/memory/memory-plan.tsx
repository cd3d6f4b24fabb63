import { useElementSize } from '@mantine/hooks'
import { formatNumber } from '../../lib/format.ts'
import { useTypeColors } from '../../ui/type-colors.tsx'
import classes from './memory-plan.module.css'
import { PlanDots } from './plan-dots.tsx'
import { doorPath, housePath, recallPath, wallPath } from './plan-lines.ts'
import { litPlaces, planRooms, type Rect, type Room, withOthers } from './room-plan.ts'

const width = 560
const shape = { low: 0.75, high: 1.15 }
/** Used until the available height is measured. */
const heightAtFirst = width * shape.low
const labelWidthMin = 70
const letterWidth = 7.5

type Entity = { id: string; type: string }
type MemoryPlanProps = {
  types: readonly Room[]
  /** The entities of the last recall, connected by one line. */
  recalled?: readonly Entity[]
}

/** A memory drawn as a floor plan: a room for each type, a dot for each entity. */
export function MemoryPlan({ types, recalled = [] }: MemoryPlanProps) {
  const colorOf = useTypeColors()
  const stage = useElementSize()
  const height = heightIn(stage)
  const house: Rect = { x: 1, y: 1, width: width - 2, height: height - 2 }
  const { rooms, walls } = planRooms(withOthers(types), house)
  const lit = litPlaces(rooms, recalled)
  return (
    <div ref={stage.ref} className={classes.stage}>
      <svg
        className={classes.plan}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={planLabel(types)}
      >
        <path className={classes.wall} d={walls.map(wallPath).join('')} />
        {rooms.map((room) => (
          <g key={room.type}>
            <RoomLabel room={room} />
            <PlanDots room={room} color={colorOf(room.type)} />
          </g>
        ))}
        <path className={classes.walk} d={recallPath(lit, house)} />
        {lit.map(({ x, y, type }) => (
          <g key={type} className={classes.lit}>
            <circle className={classes.halo} cx={x} cy={y} r={9} />
            <circle cx={x} cy={y} r={5} fill={colorOf(type).color} />
          </g>
        ))}
        <path className={classes.house} d={housePath(house)} />
      </svg>
    </div>
  )
}

/** The height of the container, limited to proportions that still look like a house. */
function heightIn(stage: { width: number; height: number }): number {
  if (stage.width === 0) return heightAtFirst
  const ratio = Math.min(shape.high, Math.max(shape.low, stage.height / stage.width))
  return Math.round(width * ratio)
}

export function planLabel(types: readonly Room[]): string {
  if (types.length === 0) return 'An empty memory'
  return `Entities by type: ${types.map(({ type, count }) => `${type} ${formatNumber(count)}`).join(', ')}`
}

/** A room's name and its number of entities. */
export function RoomLabel({ room, isCounted = true }: { room: Room & Rect; isCounted?: boolean }) {
  if (room.width < labelWidthMin) return null
  return (
    <>
      <text className={classes.name} x={room.x + 12} y={room.y + 21}>
        {shorten(room.type, (room.width - 60) / letterWidth)}
      </text>
      {isCounted && (
        <text className={classes.count} x={room.x + room.width - 10} y={room.y + 21}>
          {formatNumber(room.count)}
        </text>
      )}
    </>
  )
}

/** The walls of an empty memory, with open doors. */
export const Doors = ({ walls }: { walls: Parameters<typeof doorPath>[0][] }) => (
  <path className={classes.door} d={walls.map(doorPath).join('')} />
)

const shorten = (text: string, letters: number) =>
  text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`
