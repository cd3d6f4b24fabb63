import { chunksOf } from '../../ground/lib/chunks.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import { type Index, readLists } from './posting-lists.ts'
import { postingsOf } from './postings-of.ts'
import type { IndexedSpace } from './search-index.repo.ts'
import { forgetRememberedWords } from './store-passages.ts'
import { deleteWords, findWords } from './words.repo.ts'

const wordsAtOnce = 500

/** Takes words out of a vocabulary that stand in no text any more. Within a transaction, under the account's lock. */
export async function forgetUnusedWords(
  index: Index,
  space: IndexedSpace,
  words: ReadonlySet<string>,
): Promise<void> {
  for (const some of chunksOf([...words], wordsAtOnce)) {
    const stored = await findWords(index.db, space, some)
    const terms = stored.map(({ term }) => term)
    const used = await readLists(index, space, terms, 1)
    await forget(
      index,
      space,
      stored.filter(({ term }) => !used.has(term)),
    )
  }
}

async function forget(
  { db, dialect }: Index,
  scope: Scope,
  words: readonly { id: number; word: string }[],
): Promise<void> {
  if (words.length === 0) return
  const posted = words.map(({ id, word }) => ({ id, terms: gramTermsOf(word) }))
  await postingsOf(dialect).remove(db, scope, posted)
  await deleteWords(
    db,
    scope,
    words.map(({ id }) => id),
  )
  forgetRememberedWords(
    db,
    scope,
    words.map(({ word }) => word),
  )
}
