/**
 * The story that the landing page draws: two sessions of two agents that share one memory. Each entity is a
 * room of a plan, each relation a path through a door, and recall is a walk. It has two plans of the same
 * memory, for wide and narrow screens; all numbers are drawing units.
 */
type Point = readonly [x: number, y: number]
export type Box = readonly [x: number, y: number, width: number, height: number]

export type Room = {
  id: string
  name: string
  type: string
  notes: readonly string[]
  /** The line of the conversation that creates it. */
  at: number
  wide: { box: Box; dot: Point; title: Point; notes: Point }
  tall: { box: Box; dot: Point; title: Point }
}

export type Way = {
  from: string
  to: string
  type: string
  at: number
  wide: readonly Point[]
  tall: readonly Point[]
  /** The position of its label in the wide plan. */
  label: Point
}

export type Line = { at: number; who: 'You' | 'Agent' | 'Tool'; text: string; tool?: string }
export type Session = { when: string; agent: string; at: number; lines: readonly Line[] }

export const planSize = { wide: [720, 480], tall: [340, 480] } as const

export const sessions: readonly Session[] = [
  {
    when: 'Monday',
    agent: 'one agent',
    at: 1,
    lines: [
      {
        at: 1,
        who: 'You',
        text: 'Atlas API deploys from the release branch, never from main. Mara maintains it.',
      },
      { at: 2, who: 'Tool', tool: 'create_entities', text: 'Atlas API, release branch, Mara' },
      { at: 3, who: 'Tool', tool: 'create_relations', text: 'deploys_from, maintains' },
      { at: 4, who: 'You', text: 'We learned that in the March outage. Smoke tests come first now.' },
      { at: 5, who: 'Tool', tool: 'create_entities', text: 'March outage, Smoke tests and two more' },
    ],
  },
  {
    when: 'Three weeks later',
    agent: 'another agent',
    at: 7,
    lines: [
      { at: 7, who: 'You', text: 'Ship the fix for the billing worker.' },
      { at: 8, who: 'Tool', tool: 'recall', text: 'how is the billing worker deployed?' },
      { at: 9, who: 'Agent', text: 'Branching from release. Smoke tests first, then Mara reviews.' },
    ],
  },
]

/** The line of the conversation at which the plan lights up. */
export const walkAt = 8
export const lastStep = 9

export const rooms: readonly Room[] = [
  {
    id: 'mara',
    name: 'Mara',
    type: 'person',
    notes: ['Reviews every change', 'to the pipeline'],
    at: 2,
    wide: { box: [0, 0, 230, 240], dot: [160, 195], title: [22, 36], notes: [22, 80] },
    tall: { box: [0, 0, 180, 150], dot: [120, 115], title: [14, 26] },
  },
  {
    id: 'atlas',
    name: 'Atlas API',
    type: 'product',
    notes: ['Serves 3 regions'],
    at: 2,
    wide: { box: [230, 150, 260, 190], dot: [420, 195], title: [252, 284], notes: [252, 322] },
    tall: { box: [0, 150, 180, 170], dot: [120, 230], title: [14, 178] },
  },
  {
    id: 'release',
    name: 'release branch',
    type: 'concept',
    notes: ['Deploys go out from', 'here, never from main'],
    at: 2,
    wide: { box: [490, 0, 230, 260], dot: [664, 195], title: [512, 36], notes: [512, 80] },
    tall: { box: [180, 120, 160, 200], dot: [300, 230], title: [194, 148] },
  },
  {
    id: 'outage',
    name: 'March outage',
    type: 'event',
    notes: ['A deploy from main', 'took down the queue'],
    at: 5,
    wide: { box: [230, 0, 260, 150], dot: [420, 118], title: [252, 36], notes: [252, 80] },
    tall: { box: [180, 0, 160, 120], dot: [300, 80], title: [194, 26] },
  },
  {
    id: 'smoke',
    name: 'Smoke tests',
    type: 'technology',
    notes: ['Take four minutes', 'Block the deploy'],
    at: 5,
    wide: { box: [490, 260, 230, 220], dot: [664, 340], title: [512, 296], notes: [512, 436] },
    tall: { box: [220, 320, 120, 160], dot: [300, 386], title: [232, 440] },
  },
  {
    id: 'billing',
    name: 'Billing worker',
    type: 'product',
    notes: ['Runs every hour'],
    at: 5,
    wide: { box: [230, 340, 260, 140], dot: [420, 424], title: [252, 376], notes: [252, 454] },
    tall: { box: [100, 320, 120, 160], dot: [120, 386], title: [110, 440] },
  },
  {
    id: 'postgres',
    name: 'PostgreSQL',
    type: 'technology',
    notes: ['One primary,', 'two replicas'],
    at: 5,
    wide: { box: [0, 240, 230, 240], dot: [160, 300], title: [22, 276], notes: [22, 436] },
    tall: { box: [0, 320, 100, 160], dot: [50, 386], title: [9, 440] },
  },
]

export const ways: readonly Way[] = [
  {
    from: 'mara',
    to: 'atlas',
    type: 'maintains',
    at: 3,
    wide: [
      [160, 195],
      [420, 195],
    ],
    tall: [
      [120, 115],
      [120, 230],
    ],
    label: [250, 187],
  },
  {
    from: 'atlas',
    to: 'release',
    type: 'deploys_from',
    at: 3,
    wide: [
      [420, 195],
      [664, 195],
    ],
    tall: [
      [120, 230],
      [300, 230],
    ],
    label: [506, 187],
  },
  {
    from: 'outage',
    to: 'release',
    type: 'led_to',
    at: 6,
    wide: [
      [420, 118],
      [664, 118],
      [664, 195],
    ],
    tall: [
      [300, 80],
      [300, 230],
    ],
    label: [440, 109],
  },
  {
    from: 'release',
    to: 'smoke',
    type: 'requires',
    at: 6,
    wide: [
      [664, 195],
      [664, 340],
    ],
    tall: [
      [300, 230],
      [300, 386],
    ],
    label: [600, 240],
  },
  {
    from: 'billing',
    to: 'atlas',
    type: 'part_of',
    at: 6,
    wide: [
      [420, 424],
      [420, 195],
    ],
    tall: [
      [120, 386],
      [120, 230],
    ],
    label: [432, 372],
  },
  {
    from: 'postgres',
    to: 'atlas',
    type: 'stores_for',
    at: 6,
    wide: [
      [160, 300],
      [160, 258],
      [410, 258],
      [410, 195],
    ],
    tall: [
      [50, 386],
      [50, 278],
      [110, 278],
      [110, 230],
    ],
    label: [250, 250],
  },
]

/** The path of the recall, from the entity asked about to the one that answers. */
export const walk = {
  wide: [
    [420, 424],
    [420, 195],
    [664, 195],
    [664, 340],
  ],
  tall: [
    [120, 386],
    [120, 230],
    [300, 230],
    [300, 386],
  ],
} as const satisfies Record<string, readonly Point[]>

export const walkRooms: readonly string[] = ['billing', 'atlas', 'release', 'smoke']

/** Where a path leaves its first room: the middle of the door, and whether the wall is vertical. */
export function doorOf(
  points: readonly Point[],
  [x, y, width, height]: Box,
): { at: Point; upright: boolean } {
  for (const [i, [toX, toY]] of points.slice(1).entries()) {
    const [fromX, fromY] = points[i]!
    const between = (wall: number, a: number, b: number) => (wall - a) * (wall - b) < 0
    const upright = [x, x + width].find((wall) => between(wall, fromX, toX))
    if (upright !== undefined) return { at: [upright, fromY], upright: true }
    const level = [y, y + height].find((wall) => between(wall, fromY, toY))
    if (level !== undefined) return { at: [fromX, level], upright: false }
  }
  throw new Error('This way leaves no room')
}

/** An SVG path through the points with rounded corners. */
export function toPath(points: readonly Point[], radius = 10): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let path = `M${first[0]} ${first[1]}`
  rest.forEach((corner, i) => {
    const next = rest[i + 1]
    if (next === undefined) {
      path += `L${corner[0]} ${corner[1]}`
      return
    }
    const before = towards(corner, points[i]!, radius)
    const after = towards(corner, next, radius)
    path += `L${before[0]} ${before[1]}Q${corner[0]} ${corner[1]} ${after[0]} ${after[1]}`
  })
  return path
}

function towards(from: Point, to: Point, distance: number): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const part = Math.min(distance / Math.hypot(dx, dy), 0.5)
  return [from[0] + dx * part, from[1] + dy * part]
}
