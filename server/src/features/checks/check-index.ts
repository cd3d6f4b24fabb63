import { toId } from '../../ground/lib/ids.ts'
import { auditIndex, auditTurnIndex } from '../../search/store/audit-index.ts'
import { findTurnIndex } from '../../search/store/turn-index.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { differencesMax } from './accounts.repo.ts'
import * as indexes from './indexes.repo.ts'

/** Checks a space's search index against the rows, term by term. */
export async function checkIndex(db: Db, scope: Scope): Promise<string[]> {
  const dialect = dialectOf(db)
  const { unindexed, totals } = await auditIndex({ db, dialect }, scope)
  const stored = await indexes.getIndexTotals(db, scope)
  const stray = await indexes.countStrayPassages(db, scope)
  return [
    ...unindexed
      .slice(0, differencesMax)
      .map(({ kind, id }) =>
        kind === 'word'
          ? `the search index does not have the letters of word ${id}`
          : `the search index and the tables disagree about ${toId(kind, id)}`,
      ),
    ...(stray === 0
      ? []
      : [`${stray} passages of the search index belong to observations that are not there`]),
    ...(['passages', 'length'] as const)
      .filter((name) => stored[name] !== totals[name])
      .map((name) => `the search index counts ${stored[name]} as ${name}, should be ${totals[name]}`),
  ]
}

export async function checkVectors(db: Db, scope: Scope): Promise<string[]> {
  const stray = await indexes.countStrayVectors(db, scope)
  return stray === 0 ? [] : [`${stray} vectors belong to passages that are not there`]
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
