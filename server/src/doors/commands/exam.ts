import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { questionsFrom } from '../../features/exams/exams.service.ts'
import {
  compareScores,
  type ExamQuestion,
  type ExamScore,
  shareIn,
  sumOf,
} from '../../features/exams/score-answers.rules.ts'
import { findLocalActor } from '../../features/users/local-actor.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { parseJson } from '../../ground/lib/json.ts'
import { estimateTokens } from '../../ground/lib/tokens.ts'
import { linesOfJson, withoutControls } from '../../ground/lib/without-controls.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { onSpace } from './account-option.ts'
import { commandRights } from './command-rights.ts'
import { type AskedServer, askServer, type ServerToAsk } from './exam-server.ts'
import { withReadContext } from './with-context.ts'
import { writeOutput } from './write-output.ts'

type Options = {
  space?: string
  fromConversations?: boolean
  write?: string
  against?: string
  tool?: string
  tokens: string
  compare?: string
  save?: string
  json?: boolean
}
type Run = { name: string; scores: ExamScore[] }

const Question = z.object({
  question: z.string().min(1).max(10_000),
  evidence: z.array(z.string().min(1)).min(1).max(100),
  kind: z.string().max(64).default('all'),
})
const Score = z.object({
  ...{ question: z.string(), kind: z.string(), found: z.number(), shown: z.number() },
  ...{ tokens: z.number(), ms: z.number() },
})
const SavedRun = z.object({ name: z.string(), scores: z.array(Score) })

const charactersPerToken = 4

/** `loci exam`: asks questions whose answers are known, and prints how much of them comes back. */
export async function exam(path: string | undefined, options: Options): Promise<void> {
  if ((path === undefined) === (options.fromConversations === undefined))
    throw new ConfigError('Give a file with questions, or --from-conversations.', { exitCode: 2 })
  const questions = path === undefined ? await makeOwn(options) : readQuestions(path)
  if (options.write !== undefined)
    writeOutput(options.write, questions.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const tokensRead = Number(options.tokens)
  if (!Number.isInteger(tokensRead) || tokensRead < 1)
    throw new ConfigError('--tokens must be a whole number from 1.', { exitCode: 2 })
  const before = options.compare === undefined ? [] : [readRun(options.compare)]
  const own = [process.argv[1]!, 'mcp', ...(options.space === undefined ? [] : ['--space', options.space])]
  const runs = [await take(questions, { name: 'loci', command: process.execPath, args: own }, tokensRead)]
  if (options.against !== undefined) {
    const other = { name: options.against, ...inShell(options.against), tool: options.tool }
    runs.push(await take(questions, other, tokensRead))
  }
  runs.push(...before)
  process.stdout.write(options.json ? `${linesOfJson(toReport(runs))}\n` : inWords(runs, tokensRead))
  if (options.save !== undefined) writeOutput(options.save, `${JSON.stringify(runs[0], null, 2)}\n`)
}

/** Of the memory that `loci mcp` serves. */
async function makeOwn({ space }: Options): Promise<ExamQuestion[]> {
  let questions: ExamQuestion[] = []
  await withReadContext(async (ctx) => {
    if (ctx.config.remoteUrl !== undefined)
      throw new ConfigError('Questions are made from the memory of this machine: unset LOCI_URL.', {
        exitCode: 2,
      })
    const actor = await findLocalActor(ctx)
    requireAllowed(actor, commandRights.exam)
    questions = await questionsFrom(ctx, await onSpace(ctx, actor, space))
  })
  if (questions.length > 0) return questions
  throw new ConfigError(
    'This memory has nothing to ask about yet: no facts with names or dates, and no conversations that build on each other.',
    { exitCode: 2 },
  )
}

const inShell = (command: string) =>
  process.platform === 'win32'
    ? { command: 'cmd', args: ['/c', command] }
    : { command: 'sh', args: ['-c', command] }

function readQuestions(path: string): ExamQuestion[] {
  const lines = read(path).split('\n')
  const questions = lines.flatMap((line, i) => {
    if (line.trim() === '') return []
    const { data, error } = Question.safeParse(parseJson(line))
    if (data === undefined) {
      const { path: place, message } = error.issues[0]!
      const what = [...place, message].join(': ')
      throw new ConfigError(`${path}:${i + 1} is no question: ${what}.`, { exitCode: 2 })
    }
    return [data]
  })
  if (questions.length === 0) throw new ConfigError(`${path} has no questions.`, { exitCode: 2 })
  return questions
}

function readRun(path: string): Run {
  const { data } = SavedRun.safeParse(parseJson(read(path)))
  if (data === undefined) throw new ConfigError(`${path} is no run that --save wrote.`, { exitCode: 2 })
  return { ...data, name: `${data.name} (${path})` }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read: ${(cause as Error).message}`, { cause, exitCode: 2 })
  }
}

async function take(
  questions: readonly ExamQuestion[],
  server: ServerToAsk & { name: string },
  tokensRead: number,
): Promise<Run> {
  const scores: ExamScore[] = []
  await askServer(server, async (asked: AskedServer) => {
    for (const { question, kind, evidence } of questions) {
      const began = performance.now()
      const answer = await asked.ask(question)
      const ms = performance.now() - began
      const shown = answer.slice(0, tokensRead * charactersPerToken)
      scores.push({
        ...{ question, kind, ms, tokens: estimateTokens(answer) },
        ...{ found: shareIn(answer, evidence), shown: shareIn(shown, evidence) },
      })
    }
  })
  return { name: server.name, scores }
}

const kindsOf = (scores: readonly ExamScore[]) => [...new Set(scores.map(({ kind }) => kind))].sort()

const toReport = (runs: readonly Run[]) => ({
  runs: runs.map(({ name, scores }) => ({
    name,
    all: sumOf(scores),
    kinds: Object.fromEntries(
      kindsOf(scores).map((kind) => [kind, sumOf(scores.filter((score) => score.kind === kind))]),
    ),
  })),
  comparisons: runs
    .slice(1)
    .map(({ name, scores }) => ({ with: name, ...compareScores(runs[0]!.scores, scores) })),
})

function inWords(runs: readonly Run[], tokensRead: number): string {
  const { runs: sums, comparisons } = toReport(runs)
  const tables = sums.flatMap(({ name, all, kinds }) => [
    name,
    `  ${'kind'.padEnd(20)}${'questions'.padStart(10)}${'found'.padStart(9)}${'shown'.padStart(9)}${'tokens'.padStart(9)}${'ms'.padStart(9)}`,
    ...(Object.keys(kinds).length > 1 ? Object.entries(kinds).map(([kind, sum]) => row(kind, sum)) : []),
    row('all', all),
    '',
  ])
  const compared = comparisons.map(
    ({ with: name, better, worse, same, chance }) =>
      `Against ${name}: ${better} questions better, ${worse} worse, ${same} the same. If both were equally good, a difference like this would come about in ${percent(chance)} of cases.`,
  )
  const about = `found: the share of the evidence in the answer; shown: in its first ${tokensRead.toLocaleString('en-US')} tokens.`
  return `${[...tables, ...compared, about].map(withoutControls).join('\n')}\n`
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const row = (kind: string, { questions, found, shown, tokens, ms }: ReturnType<typeof sumOf>) =>
  `  ${kind.slice(0, 19).padEnd(20)}${String(questions).padStart(10)}${percent(found).padStart(9)}${percent(shown).padStart(9)}${tokens.toFixed(0).padStart(9)}${ms.toFixed(0).padStart(9)}`
