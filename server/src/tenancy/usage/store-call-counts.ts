import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { inBackground, transact } from '../../store/transact.ts'
import { announceNews } from '../news/announce-news.ts'
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
import { type DoorCall, storeDoorCall } from './door-calls.repo.ts'
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
  doorCalls: readonly DoorCall[] = [],
): Promise<MonthCount[]> {
  return dialect.transaction(db, async (tx) => {
    const accounts = await listExistingAccounts(
      tx,
      unique([
        ...[...tallies, ...doorCalls].map(({ accountId }) => accountId),
        ...recalls.map(({ scope }) => scope.accountId),
      ]),
    )
    const ofAccounts = tallies.filter((tally) => accounts.has(tally.accountId))
    await addOperationCounts(tx, toOperationCounts(ofAccounts))
    await storeKeyUse(tx, ofAccounts)
    await storeAgentUse(tx, ofAccounts)
    await storeDoorCalls(
      tx,
      doorCalls.filter(({ accountId }) => accounts.has(accountId)),
    )
    for (const ofSpace of bySpace(recalls)) {
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

/** In one order everywhere, so that processes that store concurrently do not deadlock. */
async function storeDoorCalls(tx: Db, calls: readonly DoorCall[]): Promise<void> {
  const keyOf = ({ accountId, spaceId, credential }: DoorCall) => `${accountId} ${spaceId} ${credential}`
  for (const call of calls.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) await storeDoorCall(tx, call)
}

/** Tells open screens of recalls. Apart from storing them: writers lock the row of a space and the counts in another order. */
export async function announceRecalls(
  ctx: Parameters<typeof announceNews>[0] & { dialect: Dialect },
  recalls: readonly KeptRecall[],
): Promise<void> {
  for (const [first] of bySpace(recalls))
    await transact(ctx, (inner) => announceNews(inner, first!.scope), inBackground)
}

const bySpace = (recalls: readonly KeptRecall[]): KeptRecall[][] => [
  ...Map.groupBy(recalls, ({ scope }) => `${scope.accountId} ${scope.spaceId}`).values(),
]

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
