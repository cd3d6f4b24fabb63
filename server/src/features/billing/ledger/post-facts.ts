import type { Context } from '../../../tenancy/context.ts'
import { insertEntries, listAllEntries } from './ledger.repo.ts'
import {
  entriesOf,
  entriesToAdd,
  type MoneyFacts,
  noFacts,
  type StoredEntry,
  sourcesOf,
} from './ledger.rules.ts'

export type PostedFacts = {
  /** The account's entries afterwards, and those of them that are new. */
  entries: StoredEntry[]
  added: StoredEntry[]
}

/**
 * Brings an account's books in line with what the gateway knows, in the current transaction and under the account's
 * lock. Facts that are entered already add nothing.
 */
export async function postFacts(
  ctx: Context,
  accountId: number,
  some: Partial<MoneyFacts>,
): Promise<PostedFacts> {
  const { db, now } = ctx
  const facts = { ...noFacts, ...some }
  const stored = await listAllEntries(db, accountId)
  const sources = sourcesOf(facts)
  const others = stored.filter(({ source }) => !sources.has(source))
  const added = entriesToAdd(entriesOf(facts, others), stored, { sources, now: now() })
  await insertEntries(db, accountId, added)
  return { entries: [...stored, ...added], added }
}
