import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import { type Index, postingsOf, readLists } from './posting-lists.ts'
import { forgetSpaceAfter } from './read-space.ts'
import type { IndexedSpace } from './search-index.repo.ts'
import { forgetRememberedWords, idMax } from './store-passages.ts'
import { deleteWords, listWords } from './words.repo.ts'

const wordsAtOnce = 500

/**
 * Takes the words out of a vocabulary that stand in no text any more, in short transactions. An inflected word stays
 * while a text has another form of it.
 */
export async function forgetUnusedWordsOf(
  ctx: Context,
  accountId: number,
  find: (db: Db) => Promise<IndexedSpace | undefined>,
): Promise<void> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    after = await transact(ctx, accountId, (inner) => forgetSome(inner, accountId, find, from))
  }
}

/** Returns the number of the last word that was looked at, or undefined at the end. */
async function forgetSome(
  ctx: Context,
  accountId: number,
  find: (db: Db) => Promise<IndexedSpace | undefined>,
  after: number,
): Promise<number | undefined> {
  await lockAccount(ctx.db, accountId)
  const space = await find(ctx.db)
  if (space === undefined) return undefined
  const stored = await listWords(ctx.db, space, { after, upTo: idMax, limit: wordsAtOnce })
  const used = await readLists(
    ctx,
    space,
    stored.map(({ term }) => term),
    1,
  )
  await forget(
    ctx,
    space,
    stored.filter(({ term }) => !used.has(term)),
  )
  return stored.length < wordsAtOnce ? undefined : stored.at(-1)!.id
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
  forgetSpaceAfter(db, dialect, scope)
  forgetRememberedWords(
    db,
    scope,
    words.map(({ word }) => word),
  )
}
