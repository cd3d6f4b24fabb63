import { createPace } from '../../ground/lib/pace.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { toAskedWords } from '../analyse/asked-words.ts'
import type { Question } from '../ask/question.ts'
import { findTurnIndex } from '../store/turn-index.repo.ts'
import { isNarrowed, type TurnFilter } from '../store/turn-texts.repo.ts'
import { askedTimesOf, type Candidates, mergePassages, pickPassages } from './candidates.ts'
import { countWordsOf } from './count-words.ts'
import { createPassageReader } from './passage-reader.ts'
import { turnTextsOf } from './turn-texts.ts'
import { matchVocabulary } from './vocabulary-match.ts'

const candidatesMin = 100
/** A filter discards candidates, so more are taken. */
const candidatesFiltered = 2_000

const noTypes = { entities: new Map(), relations: new Map() }
const noSubjects = { lists: [], named: [] }
const noMeaning = { scores: new Map(), alike: [], isBuiltIn: false, ofExact: 0 }

/** `question` is read if anything was said. `near`: turns that are also candidates where they would not be among the best of all, such as those of a project. */
export type TurnInquiry = { question: () => Question; filter: TurnFilter; near: TurnFilter | undefined }

/** The passages of turns that may answer a question; undefined if there is nothing to look up. */
export async function gatherTurns(
  ctx: Context,
  scope: Scope,
  { question: read, filter, near }: TurnInquiry,
): Promise<Candidates | undefined> {
  const pace = createPace()
  const space = await findTurnIndex(ctx.db, scope)
  if (space === undefined) return undefined
  const question = read()
  if (question.words.length === 0) return undefined
  const matched = await matchVocabulary(ctx, space, question, async () => new Set())
  await pace()
  const wanted = Math.max(candidatesMin, Math.ceil(question.limit * 1.5))
  const isWide = isNarrowed(filter) || near !== undefined
  const ids = await pickPassages(ctx, space, matched, noSubjects, isWide ? candidatesFiltered : wanted)
  const { words, guessed, unknown } = matched
  const terms = new Set(words.flatMap((word) => [...word.terms.keys()]))
  const asked = toAskedWords(terms)
  const readerOf = (of: TurnFilter) => createPassageReader(ctx, space, {}, asked, turnTextsOf(scope, of))
  const reader = readerOf(filter)
  const found = await reader.find(ids, wanted)
  const close = near === undefined ? [] : await readerOf({ ...filter, ...near }).find(ids, wanted)
  const closeIds = close.map(({ id }) => id)
  const passages = mergePassages(found, await reader.find(closeIds))
  return {
    ...{ question, space, types: noTypes, words, counter: countWordsOf(words), guessed, unknown, terms },
    ...{ names: [], named: new Map(), askedAbout: new Set<number>(), subjects: new Map(), fields: new Map() },
    ...{ passages, reader, asked, meaning: noMeaning, hasAllWords: false, pace },
    times: askedTimesOf(question, ctx.now(), passages),
  }
}
