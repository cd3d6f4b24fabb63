/**
 * Search of what was said: chats of BENCH_DATA stored as transcripts in one memory, each chat a project, each of its
 * sessions a conversation. Every question is asked over REST with nothing known, asked from its project (`near`), and
 * within it (`project`), beside a bare FTS5 table (porter stems, bm25) over the same turns in the same run. Percent of
 * questions whose first turn is of the right project and conversation, or one of the first five conversations; R@10 is the
 * share of the turns with the answer among the first ten. `--every 10` asks each tenth question.
 */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { type BenchAccount, databases, openBenchAccount, startBenchServer } from './bench-server.ts'
import { findSetFile } from './recall-sets.ts'

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'beam,locomo,realtalk' },
    database: { type: 'string', default: databases.join(',') },
    every: { type: 'string', default: '1' },
  },
})

type Turn = { id: string; s: string; t: string }
type Chat = {
  speakers?: string[]
  sessions: { id: string; iso: string | null; turns: Turn[] }[]
  qa: { q: string; ev: string[] }[]
}
type Project = Chat & { set: string; name: string }

/** A turn that was found, by its place in the sets. */
type Found = { project: string; session: string; turn: string }
type Asked = { question: string; project: string; near?: string; within?: string }
type Asker = (asked: Asked) => Promise<Found[]>

const wanted = 50
const projects = options.set.split(',').flatMap(readProjects)
const askers: Record<string, Asker> = {}
const closing: (() => Promise<void>)[] = []
for (const database of databases.filter((name) => options.database.split(',').includes(name))) {
  const server = await startBenchServer(database)
  closing.push(server.close)
  askers[`Loci, ${database}`] = await storeInLoci(await openBenchAccount(server))
}
askers['FTS5 alone'] = storeInFts5()
for (const set of options.set.split(',')) await printSet(set)
for (const close of closing) await close()

function readProjects(set: string): Project[] {
  const file = findSetFile(set)
  if (file === undefined) return []
  const { conversations }: { conversations: Chat[] } = JSON.parse(gunzipSync(readFileSync(file)).toString())
  return conversations.map((chat, i) => ({ ...chat, set, name: `${set}-${i}` }))
}

/** In a chat of two people the first takes the place of the person; who speaks stands before what is said. */
function saidIn({ speakers: [first] = [] }: Project, { s, t }: Turn) {
  if (s === 'user' || s === 'assistant') return { role: s === 'user' ? 'person' : 'agent', text: t } as const
  return { role: s === first ? 'person' : 'agent', text: `${s}: ${t}` } as const
}

async function storeInLoci({ rest }: BenchAccount): Promise<Asker> {
  const sessions = new Map<string, { project: Project; session: Project['sessions'][number] }>()
  for (const project of projects) {
    for (const [index, session] of project.sessions.entries()) {
      const start = Date.parse(session.iso ?? '2026-01-01') + (session.iso === null ? index * 86_400_000 : 0)
      const turns = session.turns.map((turn, i) => ({
        externalId: turn.id,
        at: new Date(start + i * 1_000).toISOString(),
        ...saidIn(project, turn),
      }))
      const title = turns.find(({ role }) => role === 'person')?.text.slice(0, 120) ?? ''
      const conversation = {
        agent: 'bench',
        externalId: `${project.name} ${session.id}`,
        title,
        project: { name: project.name },
      }
      for (let from = 0; from < turns.length; from += 200) {
        const body = { conversation, turns: turns.slice(from, from + 200) }
        sessions.set((await rest.storeTurns({ body })).conversationId, { project, session })
      }
    }
  }
  return async ({ question, near, within }) => {
    const query = {
      query: question,
      limit: String(wanted),
      context: '0',
      ...(near && { near }),
      ...(within && { project: within }),
    }
    const { turns } = await rest.searchTurns({ query })
    return turns.map(({ conversation, seq }) => {
      const { project, session } = sessions.get(conversation.id)!
      return { project: project.name, session: session.id, turn: session.turns[seq - 1]!.id }
    })
  }
}

function storeInFts5(): Asker {
  const db = new DatabaseSync(':memory:')
  db.exec(
    `create virtual table said using fts5 (text, project unindexed, session unindexed, turn unindexed, tokenize = 'porter unicode61')`,
  )
  const insert = db.prepare('insert into said values (?, ?, ?, ?)')
  for (const project of projects) {
    for (const { id, turns } of project.sessions)
      for (const turn of turns) insert.run(saidIn(project, turn).text, project.name, id, turn.id)
  }
  const select = db.prepare(
    `select project, session, turn from said where said match ? and (? = '' or project = ?) order by rank limit ${wanted}`,
  )
  return async ({ question, near, within = near ?? '' }) => {
    const words = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    return select.all([...words].map((word) => `"${word}"`).join(' OR '), within, within) as Found[]
  }
}

async function printSet(set: string): Promise<void> {
  const questions = projects
    .filter((project) => project.set === set)
    .flatMap((project) =>
      project.qa.filter(({ ev }) => ev.length > 0).map((asked) => ({ ...asked, project })),
    )
    .filter((_, i) => i % Number(options.every) === 0)
  if (questions.length === 0) return
  const rows: object[] = []
  for (const [by, ask] of Object.entries(askers)) {
    for (const known of ['nothing', 'asked from its project', 'within its project'] as const) {
      if (by === 'FTS5 alone' && known === 'asked from its project') continue
      const sums = { project: 0, first: 0, five: 0, turns: 0 }
      for (const { q: question, ev, project } of questions) {
        const found = await ask({
          ...{ question, project: project.name },
          ...(known === 'asked from its project' && { near: project.name }),
          ...(known === 'within its project' && { within: project.name }),
        })
        addTo(sums, found, project, [...new Set(ev)])
      }
      rows.push({ by, known, ...toPercent(sums, questions.length) })
    }
  }
  console.log(`\n${set}: ${questions.length} questions, one memory of ${projects.length} projects, percent`)
  console.table(rows)
}

type Sums = { project: number; first: number; five: number; turns: number }

function addTo(sums: Sums, found: readonly Found[], project: Project, evidence: readonly string[]): void {
  const right = project.sessions
    .filter(({ turns }) => turns.some(({ id }) => evidence.includes(id)))
    .map(({ id }) => `${project.name} ${id}`)
  const conversations = [...new Set(found.map((one) => `${one.project} ${one.session}`))]
  const own = found.slice(0, 10).filter((one) => one.project === project.name)
  if (found[0]?.project === project.name) sums.project += 1
  if (right.includes(conversations[0] ?? '')) sums.first += 1
  if (conversations.slice(0, 5).some((one) => right.includes(one))) sums.five += 1
  sums.turns += evidence.filter((id) => own.some(({ turn }) => turn === id)).length / evidence.length
}

function toPercent({ project, first, five, turns }: Sums, count: number) {
  const percent = (sum: number) => Math.round((1000 * sum) / count) / 10
  return {
    'right project first': percent(project),
    'conversation hit@1': percent(first),
    'hit@5': percent(five),
    'turn R@10': percent(turns),
  }
}
