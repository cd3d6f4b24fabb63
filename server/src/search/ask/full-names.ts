import type { Context } from '../../tenancy/context.ts'
import type { Token } from '../analyse/analyser.ts'
import { lettersOf } from '../analyse/name-letters.ts'
import { nameMark, toFullNameTerm } from '../analyse/passages.ts'
import { type PostingLists, readLists } from '../store/posting-lists.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'

const tokensMax = 40
const wordsMax = 6
/** Names can have the same letters ("C", "C++", "C#"), but only a few do. */
const namedMax = 20

/** Words of a question in a row that may be a whole name, by its term in the index. */
export type FullNames = ReadonlyMap<string, readonly Token[]>

/** Function words alone are no name. */
export function listFullNames(query: string, all: readonly Token[]): FullNames {
  const tokens = all.slice(0, tokensMax)
  const names = new Map<string, readonly Token[]>()
  for (let first = 0; first < tokens.length; first += 1) {
    const words = tokens.slice(first, first + wordsMax)
    let before = ''
    words.forEach(({ start, end }, last) => {
      const run = words.slice(0, last + 1)
      if (run.some(({ isStop }) => !isStop))
        names.set(toFullNameTerm(before + lettersOf(query.slice(start, end))), run)
      before += lettersOf(query.slice(start, words[last + 1]?.start))
    })
  }
  return names
}

/** The numbers of the entities that a question names in full, however many others have the same words in their names. */
export async function findNamedInFull(
  ctx: Context,
  space: IndexedSpace,
  fullNames: FullNames,
  lists: PostingLists,
): Promise<number[]> {
  const isInNames = ({ term, surface }: Token) => lists.has(nameMark + term) || lists.has(nameMark + surface)
  const asked = [...fullNames].filter(([, words]) => words.every(isInNames)).map(([term]) => term)
  const found = await readLists(ctx, space, asked, namedMax)
  return [...found.values()].flatMap(({ ids }) => [...ids])
}
