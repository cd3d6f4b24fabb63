import { colorOfPlace, placeOfType } from '../../lib/type-palette.ts'
import {
  doorOf,
  planSize,
  type Room,
  rooms,
  toPath,
  type Way,
  walk,
  walkAt,
  walkRooms,
  ways,
} from './landing-story.ts'

type Shape = 'wide' | 'tall'

const doorWidth = 30

/** The story's memory as a floor plan; static here, replayed line by line by live/story.ts. */
export function MemoryPlan({ shape }: { shape: Shape }) {
  const [width, height] = planSize[shape]
  return (
    <svg
      className={`plan plan-${shape}`}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      role="img"
      aria-label="A memory drawn as the plan of a house: seven entities as rooms, six relations as ways between them. Recall walks from the billing worker through Atlas API and the release branch to the smoke tests."
    >
      {rooms.map((room) => (
        <Walls key={room.id} room={room} shape={shape} />
      ))}
      {ways.map((way) => (
        <Passage key={`${way.from} ${way.to}`} way={way} shape={shape} />
      ))}
      <g data-at={walkAt} className="plan-walk">
        {ways
          .filter(({ from, to }) => walkRooms.includes(from) && walkRooms.includes(to))
          .map((way) => (
            <path key={way.type} className="plan-door" d={doorPath(way, shape)} />
          ))}
        <path className="plan-route" d={toPath(walk[shape])} pathLength={1} />
      </g>
      {rooms.map((room) => (
        <Place key={room.id} room={room} shape={shape} />
      ))}
    </svg>
  )
}

function Walls({ room, shape }: { room: Room; shape: Shape }) {
  const [x, y, width, height] = room[shape].box
  return (
    <g data-at={room.at} className="plan-walls">
      <rect x={x} y={y} width={width} height={height} pathLength={1} />
      {walkRooms.includes(room.id) && (
        <rect className="plan-lit" data-at={walkAt} x={x} y={y} width={width} height={height} />
      )}
    </g>
  )
}

function doorPath(way: Way, shape: Shape): string {
  const room = rooms.find(({ id }) => id === way.from)!
  const { at, upright } = doorOf(way[shape], room[shape].box)
  return upright
    ? `M${at[0]} ${at[1] - doorWidth / 2}v${doorWidth}`
    : `M${at[0] - doorWidth / 2} ${at[1]}h${doorWidth}`
}

function Passage({ way, shape }: { way: Way; shape: Shape }) {
  return (
    <g data-at={way.at}>
      <path className="plan-door" d={doorPath(way, shape)} />
      <path className="plan-way" d={toPath(way[shape])} pathLength={1} />
      {shape === 'wide' && (
        <text className="plan-relation" x={way.label[0]} y={way.label[1]}>
          {way.type}
        </text>
      )}
    </g>
  )
}

/** The type's colour in both schemes. */
function fillOf(type: string): string {
  const place = placeOfType(type)
  return `light-dark(${colorOfPlace(place, 'light').color}, ${colorOfPlace(place, 'dark').color})`
}

function Place({ room, shape }: { room: Room; shape: Shape }) {
  const [x, y] = room[shape].dot
  const [titleX, titleY] = room[shape].title
  const radius = 8 + 1.5 * ways.filter(({ from, to }) => from === room.id || to === room.id).length
  return (
    <g data-at={room.at} className="plan-place">
      <circle cx={x} cy={y} r={radius + 3} className="plan-halo" />
      <circle cx={x} cy={y} r={radius} fill={fillOf(room.type)} className="plan-dot" />
      <text className="plan-name" x={titleX} y={titleY}>
        {room.name}
      </text>
      <text className="plan-type" x={titleX} y={titleY + 16}>
        {room.type}
      </text>
      {shape === 'wide' &&
        room.notes.map((note, i) => (
          <text key={note} className="plan-note" x={room.wide.notes[0]} y={room.wide.notes[1] + i * 18}>
            {note}
          </text>
        ))}
    </g>
  )
}
