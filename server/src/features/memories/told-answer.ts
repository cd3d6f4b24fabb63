import type { RecallReason } from '@loci/contract/recalls'
import type { EntityHit, ObservationHit, SearchObservationsResponse } from '@loci/contract/search'
import type { ToldAnswer } from '../../tenancy/usage/keep-recall.ts'
import type { ToldRow } from '../../tenancy/usage/recalls.repo.ts'
import { costOfFact } from './fact-lines.ts'
import { costOf } from './recall-budget.ts'
import { toForm } from './recall-form.ts'
import type { Recalled } from './recalled.ts'

/** Found and not told. */
const missedMax = 11

type Found = Pick<SearchObservationsResponse, 'observations' | 'entities' | 'relations' | 'understood'>

/** What is kept of an answer: the ids of what it told, in order, each with the reason. */
export function toTold(
  { question, maxTokens, startedAt }: { question: string; maxTokens: number; startedAt: number },
  recalled: Recalled,
  found: Found,
): ToldAnswer {
  const { rules = [], observations = [] } = recalled
  const hits = new Map(found.observations.map((hit) => [hit.id, hit]))
  const told: ToldRow[] = [
    ...rules.map((rule) => ({ observationId: rule.id, reason: 'rule' as const, tokens: costOf(rule) })),
    ...observations.map((fact) => ({
      observationId: fact.id,
      reason: reasonOf(hits.get(fact.id)),
      tokens: costOfFact(fact, false),
    })),
  ]
  const ids = new Set(told.map(({ observationId }) => observationId))
  const missed = found.observations.filter(({ id }) => !ids.has(id)).slice(0, missedMax)
  const { near: _, ...understood } = found.understood
  return {
    question,
    maxTokens,
    understood,
    told,
    missed: missed.map((hit) => ({
      observationId: hit.id,
      reason: reasonOf(hit),
      tokens: costOf(hit.content),
    })),
    entities: idsOfEntities(recalled, found, ids),
    tokens: costOf(toForm(recalled)),
    ms: performance.now() - startedAt,
  }
}

/** Entities of the facts told, then of relations, then those told without a fact. */
function idsOfEntities(
  { relations = [], entities = [] }: Recalled,
  found: Found,
  told: ReadonlySet<string>,
): string[] {
  const ofFacts = found.observations.filter(({ id }) => told.has(id)).map(({ entity }) => entity.id)
  const names = new Set(relations.flatMap(({ from, to }) => [from, to]))
  const ofRelations = found.relations
    .flatMap(({ from, to }) => [from, to])
    .filter(({ name }) => names.has(name))
    .map(({ id }) => id)
  const listed = new Set(entities.map(({ name }) => name))
  const others = found.entities.filter(({ name }: EntityHit) => listed.has(name)).map(({ id }) => id)
  return [...new Set([...ofFacts, ...ofRelations, ...others])]
}

/** The parts of a score that tell one reason. */
const partsOfReason: readonly [RecallReason, readonly string[]][] = [
  ['words', ['words', 'pairs', 'asked', 'kind']],
  ['name', ['name', 'named', 'entity', 'subject']],
  ['linked', ['graph']],
  ['neighbour', ['neighbours']],
  ['meaning', ['meaning']],
  ['time', ['time']],
]

/** What weighed most in the score of a hit. */
function reasonOf(hit: ObservationHit | undefined): RecallReason {
  const parts = hit?.explain ?? {}
  let [best, most]: [RecallReason, number] = ['listed', 0]
  for (const [reason, names] of partsOfReason) {
    let sum = 0
    for (const name of names) sum += parts[name] ?? 0
    if (sum > most) [best, most] = [reason, sum]
  }
  return best
}
