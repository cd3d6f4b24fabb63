import { useElementSize } from '@mantine/hooks'
import { formatNumber } from '../../lib/format.ts'
import { useTypeColors } from '../../ui/type-colors.tsx'
import classes from './memory-plan.module.css'
import { PlanDots } from './plan-dots.tsx'
import { doorPath, housePath, recallPath, wallPath } from './plan-lines.ts'
import { letterWidth, shorten } from './plan-text.ts'
import { litPlaces, planRooms, type Rect, type Room, type Wall, withOthers } from './room-plan.ts'

/** Used until the available space is measured. */
const widthAtFirst = 560
const shape = { low: 0.75, high: 1.15 }
/** Shorter pieces of a name say nothing. */
const lettersMin = 5
const labelHeight = 26

type Entity = { id: string; type: string }
export type NamedEntity = { name: string; type: string }
type MemoryPlanProps = {
  types: readonly Room[]
  /** The entities of the last recall, connected by one line. */
  recalled?: readonly Entity[]
  /** Entities whose names are shown where there is room. */
  named?: readonly NamedEntity[]
}

/** A memory drawn as a floor plan: a room for each type, a dot for each entity. */
export function MemoryPlan({ types, recalled = [], named = [] }: MemoryPlanProps) {
  const colorOf = useTypeColors()
  const stage = useElementSize()
  const { width, height } = sizeIn(stage)
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
        <path className={classes.wall} d={walls.map((wall) => wallPath(wall, walls)).join('')} />
        {rooms.map((room) => (
          <PlanDots
            key={room.type}
            room={room}
            color={colorOf(room.type)}
            names={namesOf(named, room.type)}
          />
        ))}
        <path className={classes.walk} d={recallPath(lit, house)} />
        <g className={classes.labels}>
          {rooms.map((room) => (
            <RoomLabel key={room.type} room={room} />
          ))}
        </g>
        {lit.map(({ x, y, type }) => (
          <g key={type}>
            <circle className={classes.halo} cx={x} cy={y} r={9} />
            <circle cx={x} cy={y} r={5} fill={colorOf(type).color} />
          </g>
        ))}
        <path className={classes.house} d={housePath(house)} />
      </svg>
    </div>
  )
}

export const namesOf = (named: readonly NamedEntity[], type: string): string[] =>
  named.filter((entity) => entity.type === type).map(({ name }) => name)

/** The size of the container in pixels, limited to proportions that still look like a house. */
export function sizeIn(stage: { width: number; height: number }): Pick<Rect, 'width' | 'height'> {
  if (stage.width === 0) return { width: widthAtFirst, height: widthAtFirst * shape.low }
  const ratio = Math.min(shape.high, Math.max(shape.low, stage.height / stage.width))
  return { width: stage.width, height: Math.round(stage.width * ratio) }
}

export function planLabel(types: readonly Room[]): string {
  if (types.length === 0) return 'An empty memory'
  return `Entities by type: ${types.map(({ type, count }) => `${type} ${formatNumber(count)}`).join(', ')}`
}

/** A room's name, and its number of entities if both fit. */
export function RoomLabel({ room, isCounted = true }: { room: Room & Rect; isCounted?: boolean }) {
  const letters = Math.floor((room.width - 20) / letterWidth)
  if (letters < Math.min(lettersMin, room.type.length) || room.height < labelHeight) return null
  const count = formatNumber(room.count)
  return (
    <>
      <text className={classes.name} x={room.x + 10} y={room.y + 20}>
        {shorten(room.type, letters)}
      </text>
      {isCounted && room.type.length + count.length + 2 <= letters && (
        <text className={classes.count} x={room.x + room.width - 10} y={room.y + 20}>
          {count}
        </text>
      )}
    </>
  )
}

/** The walls of an empty memory, with open doors. */
export const Doors = ({ walls }: { walls: readonly Wall[] }) => (
  <path className={classes.door} d={walls.map((wall) => doorPath(wall, walls)).join('')} />
)
