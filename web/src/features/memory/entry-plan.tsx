import { useTypeColors } from '../../ui/type-colors.tsx'
import { monogramOf } from '../../ui/writer-name.ts'
import classes from './entry-plan.module.css'
import shared from './memory-plan.module.css'
import { Doors, type NamedEntity, namesOf, planLabel, RoomLabel } from './memory-plan.tsx'
import { PlanDots } from './plan-dots.tsx'
import { housePath, wallPath } from './plan-lines.ts'
import { shorten } from './plan-text.ts'
import { planRooms, type Rect, type Room, withOthers } from './room-plan.ts'

const house: Rect = { x: 46, y: 1, width: 513, height: 430 }
const entry = 388
const agentSize = 26
/** In the size of the name of the first entity. */
const letterWidth = 7.8

/** Example rooms for an empty memory. */
const examples: Room[] = [
  { type: 'concept', count: 30 },
  { type: 'decision', count: 24 },
  { type: 'person', count: 20 },
  { type: 'service', count: 16 },
  { type: 'company', count: 10 },
  { type: 'technology', count: 8 },
]

type EntryPlanProps = {
  types: readonly Room[]
  named: readonly NamedEntity[]
  /** The agent that came in, and the first entity that it stored. */
  arrival?: { agent: string; name: string; type: string } | undefined
}

/** The plan of a new memory, its door open: an agent stands outside, then walks in with the first entity. */
export function EntryPlan({ types, named, arrival }: EntryPlanProps) {
  const colorOf = useTypeColors()
  const shown = types.length === 0 ? examples : withExamples(withOthers(types))
  const { rooms, walls } = planRooms(shown, house)
  const counts = new Map(withOthers(types).map(({ type, count }) => [type, count]))
  const target = rooms.find(({ type }) => type === arrival?.type)
  return (
    <svg
      className={`${shared.plan} ${classes.plan}`}
      viewBox="0 0 560 432"
      role="img"
      aria-label={planLabel(types)}
    >
      {target && <rect className={classes.target} {...boxOf(target)} />}
      <path className={shared.wall} d={walls.map((wall) => wallPath(wall, walls)).join('')} />
      <Doors walls={walls} />
      {rooms.map((room) => {
        const count = counts.get(room.type) ?? 0
        return (
          <g key={room.type} className={count === 0 ? classes.empty : undefined}>
            <RoomLabel room={{ ...room, count }} isCounted={count > 0} />
            {room !== target && (
              <PlanDots
                room={{ ...room, count }}
                color={colorOf(room.type)}
                names={namesOf(named, room.type)}
              />
            )}
          </g>
        )
      })}
      <path className={shared.house} d={housePath(house, entry)} />
      {target && arrival && <Arrived room={target} name={arrival.name} color={colorOf(arrival.type).color} />}
      <AgentAtDoor name={arrival?.agent} />
    </svg>
  )
}

const boxOf = ({ x, y, width, height }: Rect) => ({ x, y, width, height })

/** Adds example rooms to a memory that has few types. */
function withExamples(types: readonly Room[]): Room[] {
  const taken = new Set(types.map(({ type }) => type))
  const others = examples.filter(({ type }) => !taken.has(type)).slice(0, Math.max(0, 6 - types.length))
  // Large enough for the names to fit.
  return [...types.map(({ type }) => ({ type, count: 30 })), ...others]
}

/** The line that the agent walked, and the entity at its end. The line passes beside the name. */
function Arrived({ room, name, color }: { room: Rect; name: string; color: string }) {
  const [x, y] = [room.x + room.width / 2, room.y + Math.max(48, room.height / 2)]
  const shown = shorten(name, Math.min(22, Math.floor((room.width - 48) / letterWidth)))
  const turn = x + Math.max(room.width * 0.3, (shown.length * letterWidth) / 2 + 10)
  return (
    <g>
      <path className={classes.walk} pathLength={1} d={`M${agentSize + 6} ${entry}H${turn}V${y}H${x}`} />
      <g className={classes.arrived}>
        <circle className={classes.halo} cx={x} cy={y} r={15} />
        <circle cx={x} cy={y} r={7.5} fill={color} />
        <text className={classes.name} x={x} y={y + 32}>
          {shown}
        </text>
      </g>
    </g>
  )
}

function AgentAtDoor({ name }: { name: string | undefined }) {
  return (
    <g className={classes.agent} data-known={name !== undefined || undefined}>
      <rect x={3} y={entry - agentSize / 2} width={agentSize} height={agentSize} rx={4} />
      <text x={3 + agentSize / 2} y={entry + 4}>
        {name === undefined ? '?' : monogramOf(name)}
      </text>
    </g>
  )
}
