import { people, services } from './people.ts'
import { companies, decisions, incidents, technologies } from './world.ts'

export type DemoEntity = {
  name: string
  type: string
  metadata: Record<string, unknown>
  observations: string[]
}
export type DemoRelation = { from: string; to: string; type: string }

const customers = companies.filter(([, kind]) => kind === 'customer')
const lanes = [
  'Oslo',
  'Hamburg',
  'Rotterdam',
  'Gdansk',
  'Milan',
  'Lyon',
  'Vienna',
  'Zurich',
  'Malmo',
  'Bilbao',
  'Antwerp',
  'Prague',
]
const topics = [
  'delay forecast',
  'portal feedback',
  'tariff changes',
  'carrier scores',
  'API migration',
  'capacity for December',
  'security review',
  'onboarding',
]

/** A freight company and its platform, as an agent that works there would remember them: several hundred entities. */
export function buildDemoGraph(): { entities: DemoEntity[]; relations: DemoRelation[] } {
  const entities: DemoEntity[] = []
  const relations: DemoRelation[] = []
  const add = (name: string, type: string, observations: string[], metadata: Record<string, unknown> = {}) =>
    entities.push({ name, type, metadata, observations })
  const relate = (from: string, type: string, to: string) => relations.push({ from, type, to })

  add(
    'Haldvik Freight',
    'company',
    ['Moves freight for 640 customers in northern and central Europe', 'Founded in Bergen in 2014'],
    { headquarters: 'Oslo' },
  )
  for (const team of new Set(people.map(([, , team]) => team))) {
    add(`${team} team`, 'concept', [
      `Part of Haldvik Freight; known here: ${people
        .filter(([, , of]) => of === team)
        .map(([name]) => name)
        .join(', ')}`,
    ])
    relate(`${team} team`, 'part_of', 'Haldvik Freight')
  }
  for (const [name, role, team, facts] of people) {
    add(name, 'person', [`${role} in the ${team} team`, ...facts], { role, team })
    relate(name, 'works_in', `${team} team`)
  }
  for (const [name, fact] of Object.entries(technologies)) add(name, 'technology', [fact])
  for (const [name, team, uses, facts] of services) {
    add(name, 'product', [`Service of the ${team} team`, ...facts], { owner: team, kind: 'service' })
    relate(`${team} team`, 'owns', name)
    for (const technology of uses) relate(name, 'uses', technology)
  }
  for (const [from, to] of serviceCalls) relate(from, 'depends_on', to)
  for (const [name, kind, facts] of companies) {
    add(name, 'company', [`A ${kind} of Haldvik Freight`, ...facts], { kind })
    relate(name, `${kind}_of`, 'Haldvik Freight')
  }
  for (const [title, about, by, facts] of decisions) {
    add(title, 'concept', [`Decided by ${by}`, ...facts], { kind: 'decision' })
    relate(by, 'decided', title)
    relate(title, 'applies_to', about)
  }
  for (const [title, service, by, facts] of incidents) {
    add(title, 'event', facts, { kind: 'incident', severity: facts.length > 2 ? 2 : 3 })
    relate(title, 'affected', service)
    relate(by, 'resolved', title)
  }
  addLanes(add, relate)
  addMeetings(add, relate)
  return { entities, relations }
}

const serviceCalls = [
  ['customer-portal', 'public-api'],
  ['public-api', 'identity'],
  ['route-planner', 'toll-calculator'],
  ['eta-service', 'tracking-ingest'],
  ['eta-service', 'route-planner'],
  ['customer-portal', 'eta-service'],
  ['billing-exports', 'invoice-ledger'],
  ['invoice-ledger', 'toll-calculator'],
  ['notification-hub', 'eta-service'],
  ['driver-app', 'public-api'],
  ['edi-gateway', 'document-store'],
  ['carrier-match', 'event-lake'],
  ['event-lake', 'tracking-ingest'],
  ['customer-portal', 'feature-flags'],
  ['driver-app', 'document-store'],
  ['edi-gateway', 'invoice-ledger'],
] as const

type Add = (name: string, type: string, observations: string[], metadata?: Record<string, unknown>) => void
type Relate = (from: string, type: string, to: string) => void

/** Lanes between cities, with their shippers and drivers. */
function addLanes(add: Add, relate: Relate): void {
  const carriers = companies.filter(([, kind]) => kind === 'carrier')
  for (const [i, from] of lanes.entries()) {
    for (const step of [1, 3, 5, 7]) {
      const to = lanes[(i + step) % lanes.length]!
      const name = `${from} to ${to}`
      const carrier = carriers[(i + step) % carriers.length]![0]
      const customer = customers[(i * 2 + step) % customers.length]![0]
      add(
        name,
        'concept',
        [
          `Transit takes ${1 + ((i + step) % 3)} to ${2 + ((i + step) % 3)} days`,
          `${carrier} drives it ${2 + ((i * step) % 5)} times a week`,
          `${customer} ships ${12 + ((i * 7 + step * 5) % 40)} pallets a week on it`,
        ],
        { kind: 'lane', distanceKm: 380 + ((i * 137 + step * 211) % 1400) },
      )
      relate(carrier, 'serves', name)
      relate(customer, 'ships_on', name)
    }
  }
}

/** A year of meetings, as an assistant would note them. */
function addMeetings(add: Add, relate: Relate): void {
  for (let week = 0; week < 46; week++) {
    const date = new Date(Date.UTC(2026, 0, 5 + week * 7)).toISOString().slice(0, 10)
    const topic = topics[week % topics.length]!
    const [lead] = people[(week * 5) % people.length]!
    const [guest] = people[(week * 5 + 11) % people.length]!
    const [customer] = customers[week % customers.length]!
    const [service] = services[(week * 3) % services.length]!
    const name = `${topic.charAt(0).toUpperCase()}${topic.slice(1)}, ${date}`
    add(
      name,
      'event',
      [
        `${lead} led the meeting on ${topic}; ${guest} took the notes`,
        `${customer} was the example that everybody used`,
        `Next step: ${guest} checks ${service} and reports back the week after`,
      ],
      { kind: 'meeting', date },
    )
    relate(lead, 'took_part_in', name)
    relate(guest, 'took_part_in', name)
    relate(name, 'discussed', service)
    relate(name, 'mentioned', customer)
  }
}
