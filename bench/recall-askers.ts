import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldsIn } from '../server/test/fields-in.ts'
import { connectOverHttp, connectToReference } from '../server/test/mcp-clients.ts'
import type { BenchAccount, BenchServer } from './bench-server.ts'
import type { Space } from './recall-sets.ts'
import { readShown, type Shown } from './recall-shown.ts'

/** An observation in the form that every interface shows: its entity's name and its text. */
export type Answer = { entity: string; content: string }

export type Asker = {
  ask: (question: string) => Promise<Answer[]>
  /** What an agent sees with default settings. */
  show?: (question: string) => Promise<Shown[]>
  close: () => Promise<void>
}

/** Enough observations to cover ten sessions. */
const answersMax = 50

type Structured = {
  entities: { name: string; observations: string[] }[]
  observations: { content: string; entity: { name: string } }[]
  rules: { content: string; entity: { name: string } }[]
}

export function askRest({ rest }: BenchAccount, expand: boolean): Asker {
  return {
    async ask(question) {
      const { observations } = await rest.searchObservations({
        query: {
          query: question,
          limit: String(answersMax),
          context: '0',
          expand: expand ? 'true' : 'false',
        },
      })
      return observations.map(({ entity, content }) => ({ entity: entity.name, content }))
    },
    close: async () => {},
  }
}

/** The tool as an agent calls it: once with a high limit for the answers, once at its defaults for what it shows. */
export async function askRecallTool(
  server: BenchServer,
  { apiKey }: BenchAccount,
  expand: boolean,
): Promise<Asker> {
  const client = await connectOverHttp(server, apiKey, 'auto')
  const call = async (query: string, options: object) => {
    return fieldsIn(await client.callTool({ name: 'recall', arguments: { query, ...options } }))
  }
  return {
    async ask(question) {
      const answer = await call(question, { limit: answersMax, maxTokens: 20_000, context: 0, expand })
      const { rules = [], observations = [] } = answer as Partial<Structured>
      return [...rules, ...observations].map(({ entity, content }) => ({ entity: entity.name, content }))
    },
    show: async (question) => readShown(await call(question, {})),
    close: () => client.close(),
  }
}

/**
 * The reference memory server over stdio. It matches the query as one string, so a whole question finds
 * nothing; with `byWord` it is asked for each word separately, as a patient agent would, and results found by
 * the most calls come first.
 */
export async function askReference(space: Space, byWord: boolean): Promise<Asker> {
  const directory = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const file = join(directory, 'memory.jsonl')
  writeFileSync(file, toReferenceLines(space))
  const client = await connectToReference(file)
  const search = async (query: string) => {
    const { structuredContent } = await client.callTool({ name: 'search_nodes', arguments: { query } })
    return (structuredContent as Structured).entities
  }
  return {
    async ask(question) {
      if (!byWord) return (await search(question)).flatMap(toAnswers)
      const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))]
      const found = new Map<string, { answer: Answer; words: number }>()
      for (const word of words) {
        for (const answer of (await search(word)).flatMap(toAnswers)) {
          const key = `${answer.entity}\n${answer.content}`
          const entry = found.get(key) ?? { answer, words: 0 }
          entry.words += answer.content.toLowerCase().includes(word) ? 1 : 0
          found.set(key, entry)
        }
      }
      return [...found.values()].sort((a, b) => b.words - a.words).map(({ answer }) => answer)
    },
    async close() {
      await client.close()
      rmSync(directory, { recursive: true })
    },
  }
}

const toAnswers = ({ name, observations }: Structured['entities'][number]) =>
  observations.map((content) => ({ entity: name, content }))

function toReferenceLines({ entities, relations }: Space): string {
  const lines = [
    ...entities.map(({ name, type, observations }) => ({
      type: 'entity',
      name,
      entityType: type,
      observations: observations.map(({ content }) => content),
    })),
    ...relations.map(({ from, to, type }) => ({ type: 'relation', from, to, relationType: type })),
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}
