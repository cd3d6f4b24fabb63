// Asks the published exam of Loci, of the reference memory server, and of others that are given as commands:
//   npm run bench:exam -- 'npx -y mcp-memory-libsql' 'npx -y @itseasy21/mcp-knowledge-graph'
// Each gets the same facts through its own tools and the same questions. Other servers get each question twice: as it
// is, and word by word, which is how an agent would ask one that only compares texts.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type ExamScore, shareIn, sumOf } from '../server/src/features/exams/score-answers.rules.ts'
import { estimateTokens } from '../server/src/ground/lib/tokens.ts'

type Entity = { name: string; entityType: string; observations: string[] }
type Question = { question: string; evidence: string[]; kind: string }

const here = resolve(import.meta.dirname, 'exam')
const linesOf = <T>(file: string) =>
  readFileSync(join(here, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const entities = linesOf<Entity>('memory.jsonl')
const questions = linesOf<Question>('questions.jsonl')
const shownCharacters = 8_000
const loci = resolve(import.meta.dirname, '../server/src/main.ts')
const reference = resolve(import.meta.dirname, '../node_modules/.bin/mcp-server-memory')

const home = mkdtempSync(join(tmpdir(), 'loci-exam-'))
const env = {
  ...(process.env as Record<string, string>),
  LOCI_DATA_DIR: join(home, 'loci'),
  MEMORY_FILE_PATH: join(home, 'memory.jsonl'),
  LIBSQL_URL: `file:${join(home, 'memory.db')}`,
}

async function connect(command: string, args: string[]): Promise<Client> {
  const client = new Client({ name: 'exam', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }))
  return client
}

async function callText(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n')
}

/** `ask` returns what a model would read. */
async function take(ask: (question: string) => Promise<string>): Promise<ExamScore[]> {
  const scores: ExamScore[] = []
  for (const { question, evidence, kind } of questions) {
    const began = performance.now()
    const answer = await ask(question)
    const ms = performance.now() - began
    const shown = shareIn(answer.slice(0, shownCharacters), evidence)
    scores.push({
      question,
      kind,
      ms,
      tokens: estimateTokens(answer),
      found: shareIn(answer, evidence),
      shown,
    })
  }
  return scores
}

/** The words of a question that say something, as an agent would pick them. */
const little = new Set(
  'a about after all an and any are as at be by can could did do does for from get given has have how i if in into is it its may me my no not of on or our out should than that the their them there they this to up was we were what when where which while who why will with would you'.split(
    ' ',
  ),
)
const wordsOf = (question: string) => [
  ...new Set((question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !little.has(word))),
]

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
function print(name: string, scores: readonly ExamScore[]): void {
  const kinds = ['decision', 'convention', 'gotcha'].map((kind) =>
    percent(sumOf(scores.filter((score) => score.kind === kind)).shown),
  )
  const { found, shown, tokens } = sumOf(scores)
  console.log(
    `| ${name} | ${percent(found)} | ${percent(shown)} | ${kinds.join(' | ')} | ${tokens.toFixed(0)} |`,
  )
}

console.log(`${questions.length} questions on ${entities.length} repositories`)
console.log('| server | found | shown | decisions | conventions | gotchas | tokens an answer |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')

try {
  execFileSync(process.execPath, [loci, 'import', join(here, 'memory.jsonl')], { env, stdio: 'ignore' })
  const own = await connect(process.execPath, [loci, 'mcp'])
  print('Loci, `recall`', await take((query) => callText(own, 'recall', { query })))
  await own.close()
  for (const command of [reference, ...process.argv.slice(2)]) {
    rmSync(env.MEMORY_FILE_PATH, { force: true })
    const other = await connect('sh', ['-c', command])
    for (const entity of entities) await callText(other, 'create_entities', { entities: [entity] })
    const name =
      command === reference ? '@modelcontextprotocol/server-memory' : (command.split('/').at(-1) ?? '')
    const search = (query: string) => callText(other, 'search_nodes', { query })
    print(`${name}, whole question`, await take(search))
    const byWords = async (question: string) => (await Promise.all(wordsOf(question).map(search))).join('\n')
    print(`${name}, word by word`, await take(byWords))
    await other.close()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
