import type { Db } from '../../db/db.ts'
import type { Dialect } from '../../db/dialect.ts'
import { toId } from '../../lib/ids.ts'
import type { Scope } from '../../scope.ts'
import { searchedTerms } from '../../search-index/passages.ts'
import { differencesMax } from './accounts.repo.ts'
import * as indexes from './indexes.repo.ts'

const passagesPerPage = 500

/** Holds what search keeps of a space against the rows. */
export async function checkIndex(db: Db, dialect: Dialect, scope: Scope): Promise<string[]> {
  const differences = await indexes.listIndexDifferences(db, scope)
  const unposted = await listUnposted(db, dialect, scope)
  const { stored, counted } = await indexes.countIndexed(db, scope)
  return [
    ...differences.map(({ kind, id }) => `the search index and the tables disagree about ${toId(kind, id)}`),
    ...unposted.map((id) => `the passage ${id} of the search index is in no posting`),
    ...(['passages', 'length'] as const)
      .filter((name) => stored[name] !== counted[name])
      .map((name) => `the search index counts ${stored[name]} as ${name}, should be ${counted[name]}`),
  ]
}

/** Passages that nobody can find. One without a word in it has nothing to be found by. */
async function listUnposted(db: Db, dialect: Dialect, scope: Scope): Promise<number[]> {
  const unposted: number[] = []
  for (let after: number | undefined = 0; after !== undefined && unposted.length < differencesMax; ) {
    const page: { id: number; terms: string }[] = await dialect.postings.listUnposted(db, scope, {
      after,
      limit: passagesPerPage,
    })
    const searched = page.filter(({ terms }) => searchedTerms(terms.split(' ')).length > 0)
    unposted.push(...searched.map(({ id }) => id))
    after = page.at(-1)?.id
  }
  return unposted.slice(0, differencesMax)
}

export async function checkVectors(db: Db, scope: Scope): Promise<string[]> {
  const stray = await indexes.countStrayVectors(db, scope)
  return stray === 0 ? [] : [`${stray} vectors belong to passages that are not there`]
}
