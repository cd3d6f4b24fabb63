import { type Random, shuffle } from '../random.ts'
import { isAboutOneOf, isAllOfType, isFactThat } from './judges.ts'
import { calendarOf, type InventedMemory } from './memory.ts'
import type { Asked } from './questions.ts'

const dayMs = 86_400_000
const plurals = {
  decision: 'decisions',
  project: 'projects',
  company: 'companies',
  service: 'services',
  place: 'places',
  incident: 'incidents',
  person: 'people',
}

export function askForTypes(_random: Random, memory: InventedMemory): Asked[] {
  const forms = ['list the _', 'What _ are there?', 'Which _ do you know?', '_']
  return Object.entries(plurals).flatMap(([type, plural]) =>
    forms.map((form) => ({
      text: form.replace('_', plural),
      wanted: `only what is of type ${type}`,
      isRight: isAllOfType(memory, type),
    })),
  )
}

/** By a value in the metadata of entities. */
export function askByMetadata(random: Random, memory: InventedMemory): Asked[] {
  const forms: [key: string, count: number, forms: string[]][] = [
    ['severity', 3, ['Which incidents have severity _?', '_ incidents']],
    ['due', 8, ['Which project is due _?', 'What is due on _?']],
    ['badge', 8, ['Who has badge _?', 'Whose badge number is _?']],
    ['title', 5, ['Who is our _?']],
    ['language', 4, ['Which services are written in _?']],
    ['status', 1, ['Which incidents have the status _?']],
  ]
  return forms.flatMap(([key, count, questions]) => {
    const values = new Set(memory.entities.flatMap(({ metadata }) => metadata?.[key] ?? []))
    const chosen = shuffle(random, [...values]).slice(0, count)
    return chosen.flatMap((value) => {
      const right = memory.entities.filter(({ metadata }) => metadata?.[key] === value)
      const asked = values.size > 5 ? shuffle(random, questions).slice(0, 1) : questions
      return asked.map((question) => ({
        text: question.replace('_', value),
        wanted: `${key} ${value}, such as ${right[0]?.name}`,
        isRight: isAboutOneOf(right),
      }))
    })
  })
}

/** By a value in the metadata of observations. */
export function askByObservationMetadata(random: Random, memory: InventedMemory): Asked[] {
  const questions: Record<string, string[]> = {
    ticket: ['What came from ticket _?', 'What do we know from _?'],
    channel: ['What was said in the channel _?', '_', 'What do we know from the _ channel?'],
  }
  const tags = memory.entities.flatMap(({ facts }) =>
    facts.flatMap(({ metadata }) => (metadata === undefined ? [] : [metadata])),
  )
  const values = new Map(
    tags.flatMap((tag) => Object.entries(tag)).map(([key, value]) => [value, key] as const),
  )
  return shuffle(random, [...values]).flatMap(([value, key]) =>
    questions[key]!.slice(0, key === 'ticket' ? 1 + (Number(value.slice(-1)) % 2) : 3).map((question) => ({
      text: question.replace('_', value),
      wanted: `a fact with ${key} ${value}`,
      isRight: isFactThat(memory, ({ metadata }) => metadata?.[key] === value),
    })),
  )
}

/** By time alone, or by time and subject. */
export function askWhatHappened(random: Random, memory: InventedMemory): Asked[] {
  const { now, entities } = memory
  const { midnight, monday } = calendarOf(now)
  const within = (text: string, from: number, to: number): Asked => ({
    text,
    wanted: `told from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    isRight: isFactThat(memory, ({ createdAt }) => createdAt >= from && createdAt < to),
  })
  const since = (from: number) => (text: string) => within(text, from, now + 1)
  const newsOf = entities.flatMap(({ name, facts }) =>
    facts.filter(({ createdAt }) => createdAt >= midnight).map((fact) => ({ name, fact })),
  )
  return [
    ...['What happened today?', "today's news", 'What did I tell you today?', 'today'].map(since(midnight)),
    ...['What happened yesterday?', 'yesterday'].map((text) => within(text, midnight - dayMs, midnight)),
    ...['What happened this week?', 'this week'].map(since(Math.min(monday, now - 7 * dayMs))),
    ...['What happened last week?', 'last week'].map((text) => within(text, monday - 7 * dayMs, monday)),
    ...['What happened recently?', 'What is new?', 'recent', 'What changed lately?'].map(
      since(now - 30 * dayMs),
    ),
    ...monthsBefore(now).flatMap(({ name, year, from, to }) => [
      within(`What happened in ${name} ${year}?`, from, to),
      within(`What happened in ${name}?`, from, to),
    ]),
    ...shuffle(random, daysOf(memory))
      .slice(0, 5)
      .map((day, i) => {
        const iso = new Date(day).toISOString().slice(0, 10)
        const text = [`What happened on ${iso}?`, `Anything on ${iso}?`][i % 2]!
        return within(text, day, day + dayMs)
      }),
    ...newsOf.map(({ name, fact }) => ({
      text: `What happened with ${name} today?`,
      wanted: `${name}: ${fact.content}`,
      isRight: isFactThat(memory, (other) => other === fact),
    })),
  ]
}

/** Whole months with many facts. */
function monthsBefore(now: number) {
  return [3, 4, 5].map((back) => {
    const today = new Date(now)
    const from = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)
    const to = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back + 1, 1)
    const name = new Date(from).toLocaleString('en', { month: 'long', timeZone: 'UTC' })
    return { name, year: new Date(from).getUTCFullYear(), from, to }
  })
}

/** The days before the last month on which any fact was stored. */
function daysOf({ entities, now }: InventedMemory): number[] {
  const moments = entities.flatMap(({ facts }) => facts.map(({ createdAt }) => createdAt))
  const old = moments.filter((moment) => moment < now - 30 * dayMs)
  return [...new Set(old.map((moment) => moment - (moment % dayMs)))]
}
