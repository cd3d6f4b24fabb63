import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../server/test/random.ts'

const files: Record<string, string> = {
  locomo: 'locomo10.json.gz',
  realtalk: 'realtalk-even.json.gz',
  beam: 'beam100k-even.json.gz',
  musique: 'musique100.json.gz',
  timeqa: 'timeqa-60.json.gz',
}

/** The file of a set (`beam`) or of a variant of it (`beam-typos`) in BENCH_DATA; reports if it is missing. */
export function findSetFile(set: string): string | undefined {
  const file = files[set.replace(/-typos$/, '')]
  if (file === undefined)
    throw new Error(`There is no set ${set}. There are ${Object.keys(files).join(', ')}.`)
  const path = join(process.env.BENCH_DATA ?? '', file)
  if (existsSync(path)) return path
  console.log(`\n${set}: skipped. BENCH_DATA must name a folder that holds ${file}.`)
  return undefined
}

/** A question with the ids of the observations that answer it. */
export type Question = { text: string; category: string; evidence: string[] }

/** One account's memory, and the questions about it. */
export type Space = {
  /** `at` is the time of its first observation in milliseconds; the others follow one second apart. */
  entities: {
    name: string
    type: string
    at?: number
    observations: { content: string; evidenceId: string }[]
  }[]
  relations: { from: string; to: string; type: string }[]
  questions: Question[]
}

type Turn = { id: string; s: string; t: string }
type Session = {
  id: string
  iso: string | null
  title?: string
  ents?: string[]
  triples?: [string, string, string][]
  turns: Turn[]
}
type Asked = { qa: { q: string; cat: number | string; ev: string[] }[] }
type Conversation = Asked & { speakers: string[]; sessions: Session[] }
/** Pages of an encyclopaedia, with their paragraphs. */
type Pages = Asked & {
  entities: { name: string; type: string; observations: { id: string; content: string }[] }[]
}

/** The LoCoMo authors' names for its numbered categories. */
const chatCategories = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

/** Converts a set to memory as its README describes: chats by session, passages with their graph. */
export function readSet(json: string, { typos }: { typos: boolean }): Space[] {
  const set: { passages?: boolean; conversations: (Conversation | Pages)[] } = JSON.parse(json)
  const random = createRandom(7)
  return set.conversations.map((conversation) => ({
    ...toSpace(conversation, set.passages === true),
    questions: conversation.qa
      .filter(({ ev }) => ev.length > 0)
      .map(({ q, cat, ev }) => ({
        text: typos ? misspell(q, random) : q,
        category: typeof cat === 'string' ? cat : (chatCategories[cat] ?? String(cat)),
        evidence: [...new Set(ev)],
      })),
  }))
}

type Graph = Omit<Space, 'questions'>

function toSpace(set: Conversation | Pages, isOfPassages: boolean): Graph {
  if ('entities' in set) return toPagesSpace(set)
  return isOfPassages ? toPassageSpace(set) : toChatSpace(set)
}

function toPagesSpace({ entities }: Pages): Graph {
  return {
    entities: entities.map(({ name, type, observations }) => ({
      name,
      type,
      observations: observations.map(({ id, content }) => ({ content, evidenceId: id })),
    })),
    relations: [],
  }
}

/** A space as JSON lines for import. */
export function toImportLines({ entities, relations }: Space): string {
  const toTime = (at: number) => ({ createdAt: new Date(at).toISOString() })
  const lines = [
    ...entities.map(({ name, type, at, observations }) => ({
      type: 'entity',
      name,
      entityType: type,
      ...(at === undefined ? {} : toTime(at)),
      observations: observations.map(({ content }, i) => ({
        content,
        ...(at === undefined ? {} : toTime(at + i * 1_000)),
      })),
    })),
    ...relations.map(({ from, to, type }) => ({ type: 'relation', from, to, relationType: type })),
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

function toChatSpace({ speakers, sessions }: Conversation): Graph {
  return {
    entities: [
      ...speakers.map((name) => ({ name, type: 'person', observations: [] })),
      ...sessions.map((session) => ({
        name: `Session ${session.id.slice(1)}`,
        type: 'event',
        ...(session.iso === null ? {} : { at: Date.parse(session.iso) }),
        observations: session.turns.map(({ id, s, t }) => ({ content: `${s}: ${t}`, evidenceId: id })),
      })),
    ],
    relations: speakers.flatMap((from) =>
      sessions.map(({ id }) => ({ from, to: `Session ${id.slice(1)}`, type: 'took_part_in' })),
    ),
  }
}

function toPassageSpace({ sessions }: Conversation): Graph {
  const entities = new Map<string, Graph['entities'][number]>()
  const entityOf = (name: string, type: string) => {
    const entity = entities.get(name) ?? { name, type, observations: [] }
    entities.set(name, entity)
    return entity
  }
  for (const { title = '', turns } of sessions) {
    entityOf(title, 'passage').observations.push(
      ...turns.map(({ id, t }) => ({ content: t, evidenceId: id })),
    )
  }
  for (const { ents = [] } of sessions) for (const name of ents) entityOf(name, 'concept')
  const relations = sessions.flatMap(({ triples = [] }) =>
    triples
      .filter(([from, , to]) => from !== to && entities.has(from) && entities.has(to))
      .map(([from, type, to]) => ({ from, to, type: type.slice(0, 64) || 'relates_to' })),
  )
  return { entities: [...entities.values()].filter(({ name }) => name.trim() !== ''), relations }
}

/** One edit in 30 % of the words with five or more letters. */
function misspell(text: string, random: () => number): string {
  return text.replaceAll(/[A-Za-z]{5,}/g, (word) => {
    if (random() >= 0.3) return word
    const at = Math.min(Math.floor(random() * word.length), word.length - 2)
    const letter = String.fromCharCode(97 + Math.floor(random() * 26))
    const [head, here, next, tail] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
    const edits = [
      `${head}${next}${tail}`,
      `${head}${letter}${here}${next}${tail}`,
      `${head}${letter}${next}${tail}`,
      `${head}${next}${here}${tail}`,
    ]
    return edits[Math.floor(random() * edits.length)]!
  })
}
