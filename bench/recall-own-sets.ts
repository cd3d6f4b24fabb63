/**
 * Precision of the first result: questions on 200 invented people, places and things whose facts never repeat
 * their names, asked over REST and through the MCP tool at its defaults (`bench:recall --set invented`), and
 * on the README example of the reference server (`--set notes`). The sets `lives` and `lives-five` ask about notes of
 * nine kinds of life for the fact that must come first or among the first five. The set `crowd` asks for one of 30,000
 * entities, which 20,000 others mention or resemble. `facts` and the nine languages (`german`, and `german-in-english`
 * for the same notes asked in English) were written by somebody who had not seen the code: each fact is asked for once,
 * mostly in other words. `asked` has 605 such questions about 122 people, firms, services and things, held back from
 * those that the word vectors learned from (`sets/asked-learned/`).
 */

import { join } from 'node:path'
import type { LocalModelId } from '@loci/contract/embeddings'
import { crowded, crowdLines, crowdQuestions } from '../server/test/crowd.ts'
import { importLines } from '../server/test/import-lines.ts'
import { describeAnswer } from '../server/test/invented/answers.ts'
import { openDoors } from '../server/test/invented/doors.ts'
import type { Judge } from '../server/test/invented/judges.ts'
import { inventMemory, toMemoryLines } from '../server/test/invented/memory.ts'
import { inventQuestions } from '../server/test/invented/questions.ts'
import { hasAmong, type Lives, readLives, toLifeLines } from '../server/test/lives/lives.ts'
import { readmeQuestions, toReadmeLines } from '../server/test/readme-example.ts'
import { compareBy, type DatabaseName, openBenchAccount, startBenchServer } from './bench-server.ts'

type Score = { asked: number; right: number }
/** By kind of question, then by interface. */
export type Scores = Map<string, Map<string, Score>>

/** A memory and the questions about it. */
type OwnSet = { lines: string; questions: { kind: string; text: string; wanted: string; isRight: Judge }[] }

const languageSets = [
  'german',
  'french',
  'spanish',
  'japanese',
  'chinese',
  'italian',
  'portuguese',
  'dutch',
  'russian',
].flatMap((name) => [name, `${name}-in-english`])
const fileOf = (set: string) => join(import.meta.dirname, 'sets', `${set}.txt`)

const crowdSize = 30_000
const isOwnFirst: Judge = ({ facts }) =>
  facts.slice(0, crowded.facts.length).every(({ entity }) => entity === crowded.name)

const ownSets: Record<string, (now: number) => OwnSet> = {
  invented: (now) => {
    const memory = inventMemory(now)
    return { lines: toMemoryLines(memory), questions: inventQuestions(memory) }
  },
  lives: () => toOwnSet(readLives(), 1),
  'lives-five': () => toOwnSet(readLives(), 5),
  facts: () => toOwnSet(readLives([fileOf('facts')]), 1),
  'facts-ten': () => toOwnSet(readLives([fileOf('facts')]), 10),
  asked: () => toOwnSet(readLives([fileOf('asked')]), 1),
  'asked-ten': () => toOwnSet(readLives([fileOf('asked')]), 10),
  ...Object.fromEntries(languageSets.map((set) => [set, () => readLanguageSet(set)])),
  crowd: () => ({
    lines: crowdLines(crowdSize),
    questions: crowdQuestions.map((text) => ({
      kind: text,
      text,
      wanted: crowded.name,
      isRight: isOwnFirst,
    })),
  }),
  notes: () => ({
    lines: toReadmeLines(),
    questions: readmeQuestions.map((question) => ({ ...question, kind: question.text })),
  }),
}

/** The notes of a language, asked in it or in English for the fact that must come first. */
function readLanguageSet(set: string): OwnSet {
  const { entities, relations } = readLives([fileOf(set.replace('-in-english', ''))])
  return toOwnSet({ entities, relations, questions: readLives([fileOf(set)]).questions }, 1)
}

function toOwnSet(lives: Lives, first: number): OwnSet {
  const questions = lives.questions.map((question) => ({
    ...{ kind: question.life, text: question.text, wanted: question.wanted.join(' or ') },
    isRight: hasAmong(first, question),
  }))
  return { lines: toLifeLines(lives), questions }
}

export const isOwnSet = (set: string) => Object.hasOwn(ownSets, set)

/** Adds one database's scores; calls `onMiss` with each wrong answer. */
export async function measureOwnSet(
  scores: Scores,
  database: DatabaseName,
  {
    set,
    by,
    every,
    model,
  }: { set: string; by: readonly string[]; every: number; model: LocalModelId | undefined },
  onMiss: (line: string) => void,
): Promise<void> {
  const server = await startBenchServer(database)
  const account = await openBenchAccount(server)
  const { lines, questions } = ownSets[set]!(server.ctx.now())
  await importLines(server, account, lines)
  if (model !== undefined) await compareBy(model, server)
  const doors = await openDoors(server, account)
  const asked = questions.filter((_, i) => i % every === 0)
  for (const door of (['rest', 'mcp'] as const).filter((known) => by.includes(known))) {
    for (const { kind, text, wanted, isRight } of asked) {
      const answer = await doors[door](text)
      for (const row of [kind, 'all']) addScore(scores, row, `${database} ${door}`, isRight(answer))
      if (isRight(answer)) continue
      onMiss(`${database} ${door}, ${kind}: ${text}\n  wanted ${wanted}\n  got    ${describeAnswer(answer)}`)
    }
  }
  await doors.close()
  await server.close()
}

/** A row for each kind of question, in percent right. */
export function toScoreRows(scores: Scores): Record<string, string | number>[] {
  const last = ([kind]: [string, unknown]) => Number(kind === 'all')
  return [...scores]
    .sort((a, b) => last(a) - last(b))
    .map(([kind, byDoor]) => ({
      kind,
      questions: [...byDoor.values()][0]?.asked ?? 0,
      ...Object.fromEntries(
        [...byDoor].map(([by, { asked, right }]) => [by, Number(((100 * right) / asked).toFixed(1))]),
      ),
    }))
}

function addScore(scores: Scores, kind: string, by: string, isRight: boolean): void {
  const ofKind = scores.get(kind) ?? new Map<string, Score>()
  scores.set(kind, ofKind)
  const score = ofKind.get(by) ?? { asked: 0, right: 0 }
  ofKind.set(by, score)
  score.asked += 1
  if (isRight) score.right += 1
}
