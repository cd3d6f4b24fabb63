import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { Scope } from '../scope.ts'
import { addAgentCalls, trimAgents } from './agents.repo.ts'
import {
  type CallCount,
  toAgentCalls,
  toKeyCounts,
  toKeyDays,
  toMonthCounts,
  toOperationCounts,
} from './call-counts.ts'
import { type Recall, storeRecalls } from './recalls.repo.ts'
import {
  addKeyCounts,
  addMonthCounts,
  addOperationCounts,
  insertKeyDays,
  listExistingAccounts,
  listExistingKeys,
  type MonthCount,
} from './usage.repo.ts'

/** A recall and its space. */
export type KeptRecall = { scope: Scope; recall: Recall }

/**
 * Stores tallies and recalls in one transaction, without those of accounts and spaces deleted meanwhile. Returns the
 * new totals.
 */
export function storeTallies(
  { db, dialect }: { db: Db; dialect: Dialect },
  tallies: readonly CallCount[],
  recalls: readonly KeptRecall[],
): Promise<MonthCount[]> {
  return dialect.transaction(db, async (tx) => {
    const accounts = await listExistingAccounts(
      tx,
      unique([...tallies.map((tally) => tally.accountId), ...recalls.map(({ scope }) => scope.accountId)]),
    )
    const ofAccounts = tallies.filter((tally) => accounts.has(tally.accountId))
    await addOperationCounts(tx, toOperationCounts(ofAccounts))
    await storeKeyUse(tx, ofAccounts)
    await storeAgentUse(tx, ofAccounts)
    for (const ofSpace of Map.groupBy(
      recalls,
      ({ scope }) => `${scope.accountId} ${scope.spaceId}`,
    ).values()) {
      const { scope } = ofSpace[0]!
      if (!accounts.has(scope.accountId)) continue
      await storeRecalls(
        tx,
        scope,
        ofSpace.map(({ recall }) => recall),
      )
    }
    return addMonthCounts(tx, toMonthCounts(ofAccounts))
  })
}

async function storeAgentUse(tx: Db, tallies: readonly CallCount[]): Promise<void> {
  const grown = new Set<number>()
  for (const calls of toAgentCalls(tallies)) if (await addAgentCalls(tx, calls)) grown.add(calls.accountId)
  for (const accountId of grown) await trimAgents(tx, accountId)
}

async function storeKeyUse(tx: Db, tallies: readonly CallCount[]): Promise<void> {
  const byKey = tallies.filter((tally) => tally.keyId !== undefined)
  if (byKey.length === 0) return
  const keys = await listExistingKeys(tx, {
    accountIds: unique(byKey.map((tally) => tally.accountId)),
    ids: unique(byKey.map((tally) => tally.keyId ?? '')),
  })
  const known = byKey.filter((tally) => keys.has(tally.keyId ?? ''))
  const newDays = await insertKeyDays(tx, toKeyDays(known))
  await addKeyCounts(tx, toKeyCounts(known), newDays)
}

const unique = <T>(values: T[]) => [...new Set(values)]
