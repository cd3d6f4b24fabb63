import { toId } from '../../ground/lib/ids.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyse } from '../analyse/analyser.ts'
import { type Question, readExcluded } from '../ask/question.ts'
import type { RankedObservation } from './ranking.ts'

/** Number of best observations whose text is checked, since the index has neither function words nor word order. */
const readMax = 60
const phraseFactor = 2
/** Factors for texts that negate the excluded terms, or affirm them. */
const agreeingFactor = 1.2
const contradictingFactor = 0.5

/** Reranks the results by the question's quoted phrases and negations. */
export async function rankByWording(
  { db }: Context,
  scope: Scope,
  { phrases, excluded }: Question,
  ranked: RankedObservation[],
): Promise<RankedObservation[]> {
  if (phrases.length === 0 && excluded.length === 0) return ranked
  const best = ranked.slice(0, readMax)
  const ids = best.map(({ passage }) => toId('obs', passage.observationId))
  const contents = new Map((await findObservations(db, scope, ids)).map(({ id, content }) => [id, content]))
  const again = best.map((hit) => {
    const content = contents.get(toId('obs', hit.passage.observationId)) ?? ''
    return { ...hit, score: hit.score * factorOf(content, phrases, excluded) }
  })
  return [...again, ...ranked.slice(readMax)].sort((a, b) => b.score - a.score)
}

function factorOf(content: string, phrases: readonly string[][], excluded: readonly string[]): number {
  const { tokens, language } = analyse(content)
  const terms = tokens.map(({ term }) => term)
  const said = ` ${terms.join(' ')} `
  const phrase = phrases.some((words) => said.includes(` ${words.join(' ')} `)) ? phraseFactor : 1
  if (!excluded.some((term) => terms.includes(term))) return phrase
  const denied = readExcluded(content, tokens, language)
  const isDenied = excluded.some((term) => denied.includes(term))
  return phrase * (isDenied ? agreeingFactor : contradictingFactor)
}
