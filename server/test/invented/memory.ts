import { createRandom, pick, type Random, shuffle } from '../random.ts'
import { factKinds, type InventedType, news } from './facts.ts'
import { inventRelations } from './relations.ts'
import * as words from './words.ts'

export type InventedFact = {
  content: string
  createdAt: number
  metadata?: Record<string, string>
  /** The index of its kind among the facts of the entity's type. */
  kind?: number
}
export type InventedEntity = {
  name: string
  type: InventedType
  metadata?: Record<string, string>
  facts: InventedFact[]
}
export type InventedRelation = { from: string; type: string; to: string }
export type InventedMemory = { entities: InventedEntity[]; relations: InventedRelation[]; now: number }

const dayMs = 86_400_000
const factsOfPerson = 4
const factsOfOthers = 2
/** One entity in this many has relations only. */
const bareEach = 8
const oldestDays = 300
const newestDays = 45

/** An account's knowledge of 200 invented people, places and things. No fact repeats the name of its entity. */
export function inventMemory(now: number): InventedMemory {
  const random = createRandom(12)
  const entities = inventEntities().map((entity, i): InventedEntity => {
    const facts = i % bareEach === bareEach - 1 ? [] : inventFacts(random, entity.type, now)
    return { ...entity, facts }
  })
  tellNews(random, entities, now)
  tagFacts(random, entities)
  return { entities, relations: inventRelations(random, entities), now }
}

/** As lines for import, with the times of the facts. */
export function toMemoryLines({ entities, relations }: InventedMemory): string {
  const toIso = (at: number) => new Date(at).toISOString()
  const lines = [
    ...entities.map(({ name, type, metadata, facts }) => ({
      type: 'entity',
      name,
      entityType: type,
      ...(metadata === undefined ? {} : { metadata }),
      ...(facts[0] === undefined ? {} : { createdAt: toIso(facts[0].createdAt) }),
      observations: facts.map(({ content, createdAt, metadata: tags }) => ({
        content,
        createdAt: toIso(createdAt),
        ...(tags === undefined ? {} : { metadata: tags }),
      })),
    })),
    ...relations.map(({ from, type, to }) => ({ type: 'relation', from, relationType: type, to })),
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

function inventEntities(): Omit<InventedEntity, 'facts'>[] {
  const { subjects, roles } = words.serviceParts
  const titles = ['staff engineer', 'product designer', 'accountant', 'site manager', 'librarian']
  const languages = ['rust', 'kotlin', 'elixir', 'typescript']
  const people = [...words.surnames, ...words.sharedSurnames].map((surname, i) => {
    const separator = i % 10 === 3 ? '_' : ' '
    const name = `${words.firstNames[i % words.firstNames.length]}${separator}${surname}`
    const metadata = { title: titles[i % titles.length]!, badge: `B-${1043 + 17 * i}` }
    return { name, type: 'person' as const, metadata }
  })
  return [
    ...people,
    ...words.projects.map((name, i) => ({ name, type: 'project' as const, metadata: { due: dueDate(i) } })),
    ...subjects.flatMap((subject, i) =>
      roles.map((role, j) => ({
        name: `${subject}-${role}`,
        type: 'service' as const,
        metadata: { language: languages[(i + j) % languages.length]! },
      })),
    ),
    ...words.companies.map((name) => ({ name, type: 'company' as const })),
    ...words.places.map((name) => ({ name, type: 'place' as const })),
    ...words.decisions.map(([choice, topic]) => ({
      name: `Decision: ${choice} for ${topic}`,
      type: 'decision' as const,
    })),
    ...Array.from({ length: 20 }, (_, i) => ({
      name: `INC-${1041 + 7 * i}`,
      type: 'incident' as const,
      metadata: { severity: `sev${1 + (i % 3)}`, status: i % 5 === 0 ? 'open' : 'resolved' },
    })),
  ]
}

/** Each project has its own day. */
function dueDate(i: number): string {
  return new Date(Date.UTC(2026, 11, 1) + i * 9 * dayMs).toISOString().slice(0, 10)
}

function inventFacts(random: Random, type: InventedType, now: number): InventedFact[] {
  const kinds = shuffle(random, [...factKinds[type].entries()])
  const chosen = kinds.slice(0, type === 'person' ? factsOfPerson : factsOfOthers)
  const daysAgo = newestDays + Math.floor(random() * (oldestDays - newestDays))
  return chosen.map(([kind, { says, values }], i) => ({
    content: says.replace('_', pick(random, values)),
    createdAt: now - daysAgo * dayMs + i * 1_000,
    kind,
  }))
}

/** Adds news from today, yesterday, earlier this week and the week before. */
function tellNews(random: Random, entities: InventedEntity[], now: number): void {
  const { midnight, monday } = calendarOf(now)
  const moments = [
    ...[1, 2, 3, 4].map((part) => midnight + ((now - midnight) * part) / 5),
    ...[6, 9, 12].map((hours) => midnight - hours * 3_600_000),
    ...[2, 3, 4, 5].map((days) => monday - days * dayMs + 3_600_000),
  ]
  const busy = entities.filter(
    ({ type, facts }) => facts.length > 0 && ['project', 'service', 'incident'].includes(type),
  )
  for (const [i, { facts }] of shuffle(random, busy).slice(0, moments.length).entries()) {
    facts.push({ content: news[i]!, createdAt: Math.floor(moments[i]!) })
  }
}

/** Gives some facts a source in their metadata. */
function tagFacts(random: Random, entities: readonly InventedEntity[]): void {
  const rooms = ['war-room-nine', 'gardening-club', 'budget-round']
  const facts = shuffle(
    random,
    entities.flatMap(({ facts }) => facts),
  )
  for (const [i, fact] of facts.slice(0, 30).entries()) {
    fact.metadata = i < 15 ? { ticket: `OPS-${4411 + 13 * i}` } : { channel: rooms[i % rooms.length]! }
  }
}

/** The start of the day and of the week (Monday) in UTC. */
export function calendarOf(now: number): { midnight: number; monday: number } {
  const midnight = now - (now % dayMs)
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7
  return { midnight, monday: midnight - sinceMonday * dayMs }
}
