import { colorOfType } from '../../graph-engine/model/colors.ts'
import { formatNumber } from '../../lib/format.ts'
import classes from './memory-plan.module.css'
import { placesIn, planRooms, type Rect, type Room, type Wall } from './room-plan.ts'

const house: Rect = { x: 2, y: 2, width: 556, height: 396 }
const roomsMax = 9
const dots = { step: 16, top: 30 }
const door = 22
const labelWidthMin = 70
const letterWidth = 7

/** Rooms of a memory that is still empty. */
const examples: Room[] = [
  { type: 'concept', count: 30 },
  { type: 'decision', count: 24 },
  { type: 'person', count: 20 },
  { type: 'service', count: 16 },
  { type: 'company', count: 10 },
  { type: 'technology', count: 8 },
]

/** A memory as the plan of a house: a room for each type, a dot for each entity. */
export function MemoryPlan({ types }: { types: readonly Room[] }) {
  const isEmpty = types.length === 0
  const { rooms, walls } = planRooms(isEmpty ? examples : withOthers(types), house)
  const label = isEmpty
    ? 'An empty memory'
    : `Entities by type: ${types.map(({ type, count }) => `${type} ${formatNumber(count)}`).join(', ')}`
  return (
    <svg className={classes.plan} viewBox="0 0 560 400" role="img" aria-label={label}>
      {walls.map((wall) => (
        <path key={Object.values(wall).join()} className={classes.wall} d={withDoor(wall)} />
      ))}
      <rect className={classes.house} {...house} />
      {rooms.map((room) => (
        <g key={room.type}>
          {room.width > labelWidthMin && (
            <text className={classes.name} x={room.x + 12} y={room.y + 20}>
              {shorten(room.type, (room.width - 60) / letterWidth)}
            </text>
          )}
          {!isEmpty && room.width > labelWidthMin && (
            <text className={classes.count} x={room.x + room.width - 10} y={room.y + 20}>
              {formatNumber(room.count)}
            </text>
          )}
          {!isEmpty &&
            placesIn(room, room.count, dots).map(({ x, y }) => (
              <circle key={`${x},${y}`} cx={x} cy={y} r={3.5} fill={colorOfType(room.type)} />
            ))}
        </g>
      ))}
    </svg>
  )
}

/** The smallest types share a room. */
function withOthers(types: readonly Room[]): Room[] {
  if (types.length <= roomsMax) return [...types]
  const sorted = types.toSorted((a, b) => b.count - a.count)
  const rest = sorted.slice(roomsMax - 1)
  const count = rest.reduce((sum, room) => sum + room.count, 0)
  return [...sorted.slice(0, roomsMax - 1), { type: 'others', count }]
}

function withDoor({ x1, y1, x2, y2 }: Wall): string {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const at = (part: number) => `${x1 + (x2 - x1) * part} ${y1 + (y2 - y1) * part}`
  const half = Math.min(0.5, door / 2 / length)
  const middle = 0.72
  return `M${at(0)}L${at(middle - half)}M${at(middle + half)}L${at(1)}`
}

const shorten = (text: string, letters: number) =>
  text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`
