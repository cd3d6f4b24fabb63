import type { Scope } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { analyse } from '../../search-index/analyser.ts'
import { foldCase, foldDiacritics } from '../../search-index/fold.ts'
import { findIndexedSpace } from '../../search-index/search-index.repo.ts'
import { findNames } from './find-names.ts'
import { readQuestion } from './question.ts'
import { matchVocabulary } from './vocabulary-match.ts'

const namesMax = 20

/** The ids of the entities whose names and types fit a query that may be incomplete, best first. */
export async function rankNames(ctx: Context, scope: Scope, query: string): Promise<string[]> {
  const question = readQuestion(query.trim(), { typing: true })
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined || question.words.length === 0) return []
  const matched = await matchVocabulary(ctx, space, question)
  const names = await findNames(ctx, space, question, matched)
  return names
    .filter((name) => name.score > 0)
    .slice(0, namesMax)
    .map((name) => name.id)
}

/** How many words of the query a text has; the last may be incomplete. */
export function countWordsOf(text: string, query: string): number {
  const { tokens } = analyse(text)
  return readQuestion(query.trim(), { typing: true }).words.filter(({ term, surface, isPrefix }) =>
    tokens.some((token) => token.term === term || (isPrefix && token.surface.startsWith(surface))),
  ).length
}

/** Whether a text has words of the query, or the query as it stands somewhere in it. */
export function isMatch(text: string, query: string): boolean {
  const plain = toPlain(query)
  return countWordsOf(text, query) > 0 || (plain !== '' && toPlain(text).includes(plain))
}

/** Types are written with - or _ and shown with spaces. */
const toPlain = (text: string) =>
  foldDiacritics(foldCase(text))
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
