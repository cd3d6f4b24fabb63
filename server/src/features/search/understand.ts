import type { Understanding } from '@loci/contract/search'
import type { Scope } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { toIso } from '../../lib/time.ts'
import { isEnglishWord } from '../../search-index/dictionary.ts'
import { foldCase, foldDiacritics } from '../../search-index/fold.ts'
import { findNearNames } from './find-near-names.ts'
import type { Findings } from './find-observations.ts'

const wordsToldMax = 10
const timesToldMax = 5
const namesAskedMax = 5

/** How a question was read, for whoever gets the answer. */
export async function understand(
  ctx: Context,
  scope: Scope,
  query: string,
  { unknown, guessed, times, listed }: Findings,
): Promise<Understanding> {
  const asWritten = readWritten(query)
  const near = await findNear(ctx, scope, query, [...unknown, ...guessed.keys()])
  const guesses = [...guessed]
    .slice(0, wordsToldMax)
    .map(([word, taken]) => ({ word: asWritten(word), taken: [...taken] }))
  return {
    ...(unknown.length === 0 ? {} : { unknown: unknown.slice(0, wordsToldMax).map(asWritten) }),
    ...(guesses.length === 0 ? {} : { guesses }),
    ...(near.length === 0 ? {} : { near }),
    ...(times.length === 0
      ? {}
      : {
          times: times.slice(0, timesToldMax).map(({ from, to }) => ({ from: toIso(from), to: toIso(to) })),
        }),
    ...(listed === undefined ? {} : { listed: { types: listed.types, total: listed.total } }),
  }
}

/** From a folded word to the way it stands in the question. */
function readWritten(query: string): (folded: string) => string {
  const written = new Map([...query.matchAll(word)].map(([text]) => [fold(text), text]))
  return (folded) => written.get(folded) ?? folded
}

const fold = (text: string) => foldDiacritics(foldCase(text.replace(/['’]s$/u, '')))

/** Entities whose names are like what the question calls by words that nothing stored has. */
async function findNear(ctx: Context, scope: Scope, query: string, missing: readonly string[]) {
  const asked = possibleNames(query, new Set(missing)).slice(0, namesAskedMax)
  const near = await findNearNames(ctx, scope, asked)
  return [...near].map(([word, entities]) => ({ word, entities }))
}

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.-]*/gu
const capitalized = /^[\p{Lu}\p{N}]/u

/** Words that nothing has and that look like names, with the capitalized words beside them ("Jhon Smith"). */
function possibleNames(query: string, missing: ReadonlySet<string>): string[] {
  const words = [...query.matchAll(word)].map(([written]) => written.replace(/['’]s$/u, ''))
  const folded = words.map(fold)
  const names: string[] = []
  words.forEach((written, index) => {
    const isMissing =
      missing.has(folded[index]!) || folded[index]!.split(/[^\p{L}\p{N}]+/u).some((part) => missing.has(part))
    if (!isMissing) return
    if (!capitalized.test(written)) {
      if (!isEnglishWord(folded[index]!)) names.push(written)
      return
    }
    let [from, to] = [index, index]
    while (from > 1 && capitalized.test(words[from - 1]!)) from -= 1
    while (to + 1 < words.length && capitalized.test(words[to + 1]!)) to += 1
    names.push(words.slice(from, to + 1).join(' '))
  })
  return [...new Set(names)]
}
