import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { toId } from '../../server/src/ground/lib/ids.ts'
import { findObservations } from '../../server/src/rows/observations.repo.ts'
import { find } from '../../server/src/search/find/find.ts'
import type { RerankedObservation } from '../../server/src/search/rank/rerank.ts'
import type { Context } from '../../server/src/tenancy/context.ts'
import type { Scope } from '../../server/src/tenancy/scope.ts'
import { importLines } from '../../server/test/import-lines.ts'
import { openBenchAccount, startBenchServer } from '../bench-server.ts'
import { type Question, readSet, type Space, toImportLines } from '../recall-sets.ts'
import { findScope } from './actors.ts'

/** A question with its results before any correction, best first. */
export type Example = {
  set: string
  /** By conversation, or by question if all questions are asked of one space. */
  half: 'even' | 'odd'
  question: Question
  /** The hits to correct: the hand-made score as a share of the best, and the features that correct it. */
  hits: { score: number; features: readonly number[] }[]
  /** The evidence that each hit is, '' for none; continues beyond the corrected hits. */
  found: string[]
}

/** As many as affect the figures. */
const foundMax = 150

/** Asks the questions of a set in-process, the way `GET /api/search/observations` does. */
export async function readExamples(set: string, file: string, expand: boolean): Promise<Example[]> {
  const spaces = readSet(gunzipSync(readFileSync(file)).toString(), { typos: set.endsWith('-typos') })
  const server = await startBenchServer('sqlite')
  const examples: Example[] = []
  for (const [i, space] of spaces.entries()) {
    const account = await openBenchAccount(server)
    await importLines(server, account, toImportLines(space))
    const scope = await findScope(server.ctx, account.id)
    for (const [q, question] of space.questions.entries()) {
      const half = (spaces.length > 1 ? i : q) % 2 === 1 ? 'odd' : 'even'
      examples.push({ set, half, question, ...(await ask(server.ctx, scope, space, question.text, expand)) })
    }
  }
  await server.close()
  return examples
}

async function ask(ctx: Context, scope: Scope, space: Space, query: string, expand: boolean) {
  const inquiry = { query, limit: 50, expand, typing: false, byMeaning: true }
  const { ranked, labels } = await find(ctx, scope, inquiry)
  const hits = ranked.filter((hit) => hit.features !== undefined).sort((a, b) => byHand(b) - byHand(a))
  const all = [...hits, ...ranked.filter((hit) => hit.features === undefined)].slice(0, foundMax)
  const best = hits[0] === undefined ? 1 : byHand(hits[0])
  const evidenceOf = await findEvidence(ctx, scope, space, all)
  return {
    hits: hits.map((hit) => ({ score: byHand(hit) / best, features: hit.features ?? [] })),
    found: all.map(({ passage }) => {
      const entity = labels.get(passage.entityId)?.name
      return evidenceOf(entity, toId('obs', passage.observationId))
    }),
  }
}

/** The score without previously learned weights. */
const byHand = ({ parts }: RerankedObservation) =>
  Object.values(parts).reduce((sum, part) => sum + part, 0) - parts.learned

async function findEvidence(ctx: Context, scope: Scope, space: Space, hits: readonly RerankedObservation[]) {
  const ids = hits.map(({ passage }) => toId('obs', passage.observationId))
  const observations = await findObservations(ctx.db, scope, ids)
  const contentOf = new Map(observations.map(({ id, content }) => [id, content]))
  const evidence = new Map<string, string>()
  for (const { name, observations } of space.entities) {
    for (const { content, evidenceId } of observations) evidence.set(`${name}\n${content}`, evidenceId)
  }
  return (entity: string | undefined, id: string) => evidence.get(`${entity}\n${contentOf.get(id)}`) ?? ''
}
