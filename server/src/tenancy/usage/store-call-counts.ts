import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { inBackground, transact } from '../../store/transact.ts'
import { announceNews } from '../news/announce-news.ts'
import type { Scope } from '../scope.ts'
import { addAgentCalls, trimAgents } from './agents.repo.ts'
import {
  addCallCount,
  addCreated,
  type CallCount,
  inOrder,
  toAgentCalls,
  toKeyCounts,
  toKeyDays,
  toMonthCounts,
  toOperationCounts,
} from './call-counts.ts'
import { type Created, storeCreated } from './created.repo.ts'
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

/** What was told in a space, by the ids of the facts, and the recall to keep, if it was one. */
export type KeptRecall = { scope: Scope; recall: Recall | undefined; told: readonly string[] }

/** What a process has counted and kept since it last stored it; maps are by what is counted together. */
export type Unstored = {
  tallies: Map<string, CallCount>
  created: Map<string, Created>
  recalls: KeptRecall[]
  doorCalls: Map<string, DoorCall>
}

/** More are not kept: of a process, between two flushes. */
export const recallsMax = 2_000

/** Where a process begins to count. */
export const nothingUnstored = (): Unstored => ({
  tallies: new Map(),
  created: new Map(),
  recalls: [],
  doorCalls: new Map(),
})

/** Adds what could not be stored to what has come since. */
export function takeBack(later: Unstored, { tallies, created, recalls, doorCalls }: Unstored): void {
  for (const tally of tallies.values()) addCallCount(later.tallies, tally)
  for (const each of created.values()) addCreated(later.created, each)
  later.recalls = [...recalls, ...later.recalls].slice(0, recallsMax)
  later.doorCalls = new Map([...doorCalls, ...later.doorCalls])
}

/** Stores it in one transaction, without what belongs to accounts and spaces deleted meanwhile. Returns the new totals. */
export function storeTallies(
  { db, dialect }: { db: Db; dialect: Dialect },
  { recalls, ...unstored }: Unstored,
): Promise<MonthCount[]> {
  const tallies = [...unstored.tallies.values()]
  const doorCalls = inOrder(unstored.doorCalls)
  const created = inOrder(unstored.created)
  return dialect.transaction(db, async (tx) => {
    const accounts = await listExistingAccounts(
      tx,
      unique([
        ...[...tallies, ...doorCalls, ...created].map(({ accountId }) => accountId),
        ...recalls.map(({ scope }) => scope.accountId),
      ]),
    )
    const ofAccounts = tallies.filter((tally) => accounts.has(tally.accountId))
    await addOperationCounts(tx, toOperationCounts(ofAccounts))
    await storeKeyUse(tx, ofAccounts)
    await storeAgentUse(tx, ofAccounts)
    for (const call of doorCalls) if (accounts.has(call.accountId)) await storeDoorCall(tx, call)
    for (const each of created) if (accounts.has(each.accountId)) await storeCreated(tx, each)
    for (const ofSpace of bySpace(recalls)) {
      const { scope } = ofSpace[0]!
      if (!accounts.has(scope.accountId)) continue
      await storeRecalls(tx, scope, {
        recalls: ofSpace.flatMap(({ recall }) => recall ?? []),
        told: ofSpace.flatMap(({ told }) => told),
      })
    }
    return addMonthCounts(tx, toMonthCounts(ofAccounts))
  })
}

/** Tells open screens of recalls. Apart from storing them: writers lock the row of a space and the counts in another order. */
export async function announceRecalls(
  ctx: Parameters<typeof announceNews>[0] & { dialect: Dialect },
  recalls: readonly KeptRecall[],
): Promise<void> {
  for (const [first] of bySpace(recalls.filter(({ recall }) => recall !== undefined)))
    await transact(ctx, inBackground, (inner) => announceNews(inner, first!.scope))
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
