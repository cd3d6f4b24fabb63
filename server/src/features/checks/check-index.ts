import { toId } from '../../ground/lib/ids.ts'
import { auditIndex, auditTurnIndex } from '../../search/store/audit-index.ts'
import { findTurnIndex } from '../../search/store/turn-index.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { differencesMax } from './accounts.repo.ts'
import type { CheckedPart } from './checked-part.repo.ts'
import * as indexes from './indexes.repo.ts'

type Totals = { passages: number; length: number }

/** Checks a space's search index against the rows, term by term. */
export async function checkIndex(db: Db, scope: Scope): Promise<string[]> {
  const posted = await checkPosted(db, scope, await indexes.getIndexTotals(db, scope))
  const stray = (await indexes.countStrayPassages(db, scope))[0]!.count
  return stray === 0
    ? posted
    : [...posted, `${stray} passages of the search index belong to observations that are not there`]
}

/** The same without what belongs to nothing. */
export async function checkPosted(db: Db, scope: Scope, stored: Totals): Promise<string[]> {
  const { unindexed, totals } = await auditIndex({ db, dialect: dialectOf(db) }, scope)
  return [
    ...unindexed
      .slice(0, differencesMax)
      .map(({ kind, id }) =>
        kind === 'word'
          ? `the search index does not have the letters of word ${id}`
          : `the search index and the tables disagree about ${toId(kind, id)}`,
      ),
    ...(['passages', 'length'] as const)
      .filter((name) => stored[name] !== totals[name])
      .map((name) => `the search index counts ${stored[name]} as ${name}, should be ${totals[name]}`),
  ]
}

export async function checkVectors(db: Db, scope: Scope): Promise<string[]> {
  const stray = (await indexes.countStrayVectors(db, scope))[0]!.count
  return stray === 0 ? [] : [`${stray} vectors belong to passages that are not there`]
}

/** Whether all passages and vectors of the part belong to something. */
export async function areAllOwned(db: Db, part: CheckedPart): Promise<boolean> {
  const [passages] = await indexes.countStrayPassages(db, part)
  const [vectors] = await indexes.countStrayVectors(db, part)
  return passages!.count === 0 && vectors!.count === 0
}

/** Checks the index of a space's turns in the same way. */
export async function checkTurnIndex(db: Db, scope: Scope): Promise<string[]> {
  const { unindexed, totals } = await auditTurnIndex({ db, dialect: dialectOf(db) }, scope)
  const stored = (await findTurnIndex(db, scope)) ?? { passages: 0, length: 0 }
  return [
    ...unindexed
      .slice(0, differencesMax)
      .map((id) => `the search index and the conversations disagree about ${toId('trn', id)}`),
    ...(['passages', 'length'] as const)
      .filter((name) => stored[name] !== totals[name])
      .map(
        (name) => `the search index of turns counts ${stored[name]} as ${name}, should be ${totals[name]}`,
      ),
  ]
}
