/** A type of entity and how many there are. */
export type Room = { type: string; count: number }
export type Rect = { x: number; y: number; width: number; height: number }
/** A wall between two rooms, by its end points. */
export type Wall = { x1: number; y1: number; x2: number; y2: number }
export type RoomPlan = { rooms: (Room & Rect)[]; walls: Wall[] }

/** Below 1, so that small types stay visible beside large ones. */
const areaPower = 0.62

/**
 * Divides a house into rooms whose areas grow with their counts: it is cut recursively across its longer
 * side, into the most even halves.
 */
export function planRooms(types: readonly Room[], house: Rect): RoomPlan {
  const plan: RoomPlan = { rooms: [], walls: [] }
  if (types.length > 0)
    divide(
      types.toSorted((a, b) => b.count - a.count),
      house,
      plan,
    )
  return plan
}

const weightOf = (types: readonly Room[]) =>
  types.reduce((sum, { count }) => sum + Math.max(1, count) ** areaPower, 0)

function divide(types: readonly Room[], house: Rect, plan: RoomPlan): void {
  if (types.length === 1) {
    plan.rooms.push({ ...types[0]!, ...house })
    return
  }
  const whole = weightOf(types)
  let cut = 1
  while (cut < types.length - 1 && weightOf(types.slice(0, cut)) < whole / 2) cut += 1
  const [first, second] = [types.slice(0, cut), types.slice(cut)]
  const share = weightOf(first) / whole
  const { x, y, width, height } = house
  if (width >= height) {
    const left = width * share
    plan.walls.push({ x1: x + left, y1: y, x2: x + left, y2: y + height })
    divide(first, { ...house, width: left }, plan)
    divide(second, { ...house, x: x + left, width: width - left }, plan)
  } else {
    const top = height * share
    plan.walls.push({ x1: x, y1: y + top, x2: x + width, y2: y + top })
    divide(first, { ...house, height: top }, plan)
    divide(second, { ...house, y: y + top, height: height - top }, plan)
  }
}

/** Positions for `count` dots in a room, row by row, `step` apart; no more than fit. */
export function placesIn(room: Rect, count: number, { step, top }: { step: number; top: number }) {
  const columns = Math.floor((room.width - step) / step)
  const rows = Math.floor((room.height - top - step / 2) / step)
  const shown = Math.max(0, Math.min(count, columns * rows))
  return Array.from({ length: shown }, (_, index) => ({
    x: room.x + step * (1 + (index % columns)),
    y: room.y + top + step * (0.5 + Math.floor(index / columns)),
  }))
}

const dotsTop = 28
/** As shares of the distance between dots, and at most in pixels. */
const dotRadius = { large: { share: 0.3, max: 4 }, small: { share: 0.2, max: 2.4 } }
const dotStep = { min: 11, max: 26 }
const jitter = 0.3
const roomsMax = 9

/** Combines the smallest types into one room. */
export function withOthers(types: readonly Room[]): Room[] {
  if (types.length <= roomsMax) return [...types]
  const sorted = types.toSorted((a, b) => b.count - a.count)
  const rest = sorted.slice(roomsMax - 1)
  const count = rest.reduce((sum, room) => sum + room.count, 0)
  return [...sorted.slice(0, roomsMax - 1), { type: 'others', count }]
}

const fewMax = 5
const few = { radius: 4, widthMin: 44, heightMin: 18, labelHeight: 40 }

type Dot = { x: number; y: number; isLarge: boolean; radius: number; labelWidth: number }

/**
 * The positions of a room's entities, the same on every render: up to five in the middle of their cells, with
 * `labelWidth` above 0 if a name fits below; more in slightly irregular rows.
 */
export function dotPlaces(room: Room & Rect): Dot[] {
  if (room.count <= fewMax) {
    const places = fewPlaces(room)
    if (places !== undefined) return places
  }
  const area = Math.max(0, room.width - dotStep.min) * Math.max(0, room.height - dotsTop)
  const step = Math.min(dotStep.max, Math.max(dotStep.min, Math.sqrt(area / room.count) * 0.94))
  return placesIn(room, room.count, { step, top: dotsTop }).map(({ x, y }, index) => {
    const random = hashOf(`${room.type} ${index}`)
    const isLarge = (random >> 8) % 4 === 0
    const { share, max } = isLarge ? dotRadius.large : dotRadius.small
    return {
      x: x + ((random % 9) / 8 - 0.5) * jitter * step,
      y: y + (((random >> 4) % 9) / 8 - 0.5) * jitter * step,
      isLarge,
      radius: Math.min(max, step * share),
      labelWidth: 0,
    }
  })
}

/** One cell for each; undefined if the room is too small for that. */
function fewPlaces({ x, y, width, height, count }: Room & Rect): Dot[] | undefined {
  const free = height - dotsTop
  if (free < few.heightMin) return undefined
  // Names are wider than high.
  const columns = Math.max(1, Math.min(count, Math.round(Math.sqrt((count * width) / (free * 2)))))
  const cell = { width: width / columns, height: free / Math.ceil(count / columns) }
  if (cell.width < few.widthMin || cell.height < few.heightMin) return undefined
  const isNamed = cell.height >= few.labelHeight
  return Array.from({ length: count }, (_, index) => ({
    x: x + cell.width * ((index % columns) + 0.5),
    y: y + dotsTop + cell.height * (Math.floor(index / columns) + 0.5) - (isNamed ? 10 : 0),
    isLarge: true,
    radius: few.radius,
    labelWidth: isNamed ? cell.width - 12 : 0,
  }))
}

const litMax = 4

/** Positions of recalled entities: the first of each type, at most four, each on a dot of its room. */
export function litPlaces(
  rooms: readonly (Room & Rect)[],
  entities: readonly { id: string; type: string }[],
) {
  const firsts = new Map(entities.toReversed().map(({ id, type }) => [type, id]))
  const types = [...new Set(entities.map(({ type }) => type))]
  return types
    .flatMap((type) => {
      const room = rooms.find((candidate) => candidate.type === type)
      const places = room === undefined ? [] : dotPlaces(room)
      const place = places[hashOf(firsts.get(type)!) % places.length]
      return place === undefined ? [] : [{ x: place.x, y: place.y, type }]
    })
    .slice(0, litMax)
}

const stopsMax = 12

/** Where the stops of an answer are: each on a dot of its own in its room; none in rooms that are not drawn. */
export function stopPlaces<Stop extends { id: string; type: string }>(
  rooms: readonly (Room & Rect)[],
  stops: readonly Stop[],
): (Stop & { x: number; y: number })[] {
  const taken = new Set<string>()
  return stops.slice(0, stopsMax).flatMap((stop) => {
    const room = rooms.find(({ type }) => type === stop.type) ?? rooms.find(({ type }) => type === 'others')
    const places = room === undefined ? [] : dotPlaces(room)
    const first = hashOf(stop.id) % places.length
    for (let i = 0; i < places.length; i++) {
      const { x, y } = places[(first + i) % places.length]!
      const isNear = [...taken].some((key) => {
        const [otherX, otherY] = key.split(' ').map(Number) as [number, number]
        return Math.hypot(otherX - x, otherY - y) < stopApart
      })
      if (isNear && i < places.length - 1) continue
      taken.add(`${x} ${y}`)
      return [{ ...stop, x, y }]
    }
    return []
  })
}

/** Pixels between two stops, where there is room. */
const stopApart = 24

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
