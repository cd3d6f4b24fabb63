import { rebuildIndex } from '../../search/store/rebuild-index.ts'
import { rebuildTurnIndex } from '../../search/store/rebuild-turn-index.ts'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { finishRemovals } from '../removals/removals.ts'
import * as checks from './accounts.repo.ts'
import { type CheckedSource, checkCredentials, repairCredentials } from './check-credentials.ts'
import { checkHistory, isHistoryRight } from './check-history.ts'
import { areAllOwned, checkIndex, checkPosted, checkTurnIndex, checkVectors } from './check-index.ts'
import { areCountersRight, checkAliases, checkReplacements, checkSpace } from './check-space.ts'
import { type Accounts, only } from './checked-part.repo.ts'
import { deleteStrayPassages, deleteStrayVectors } from './indexes.repo.ts'
import { recountSpace } from './spaces.repo.ts'

/** A difference, in words; without `space` it concerns the account as a whole. */
export type Difference = { accountId: string; space?: string; message: string }

const rowsPerPage = 100
const accountsPerSlice = 250
/** Bounds how long a statement that checks several accounts runs. */
const bytesPerSlice = 8 * 1024 ** 2

/** Checks every counter, the history, the credentials and the search index against the rows, by account and space. */
export async function* checkAll(ctx: Context): AsyncGenerator<Difference, void> {
  for await (const slice of slices(ctx))
    yield* await ctx.dialect.snapshot(ctx.db, (db) => checkSlice({ ...ctx, db }, slice))
}

/** Most accounts are right, and are checked together; only where they are not, each is checked to say why. */
async function checkSlice(
  source: CheckedSource,
  slice: readonly checks.NamedAccount[],
): Promise<Difference[]> {
  const areRight = slice.length > 1 && (await areAccountsRight(source, slice))
  const differences: Difference[] = []
  for (const { accountId, id } of areRight ? [] : slice)
    for (const message of await checkAccount(source, accountId)) differences.push({ accountId: id, message })
  const ids = new Map(slice.map(({ accountId, id }) => [accountId, id]))
  for await (const space of spaces(source.db, partOf(slice))) {
    const accountId = ids.get(space.accountId)
    if (accountId === undefined) continue
    const messages = await (areRight ? checkRows : checkWhole)(source.db, space)
    for (const message of messages) differences.push({ accountId, space: space.name, message })
  }
  return differences
}

const partOf = (slice: readonly checks.NamedAccount[]): Accounts => ({
  first: slice[0]!.accountId,
  last: slice.at(-1)!.accountId,
})

/** Whether nothing that one statement can compare for several accounts differs. */
async function areAccountsRight(
  source: CheckedSource,
  slice: readonly checks.NamedAccount[],
): Promise<boolean> {
  const { db } = source
  const part = partOf(slice)
  return (
    (await checks.listMiscountedAccounts(db, part)).length === 0 &&
    (await checks.listMonthDifferences(db, part)).length === 0 &&
    (await checks.listKeyDifferences(db, part)).length === 0 &&
    (await checkCredentials(source, part)).length === 0 &&
    (await areCountersRight(db, part)) &&
    (await isHistoryRight(db, part)) &&
    (await areAllOwned(db, part))
  )
}

async function checkWhole(db: Db, space: checks.CheckedSpace): Promise<string[]> {
  return [
    ...(await checkTurnIndex(db, space)),
    ...(await checkSpace(db, space)),
    ...(await checkHistory(db, space)),
    ...(await checkIndex(db, space)),
    ...(await checkVectors(db, space)),
  ]
}

/** What is compared row by row. */
async function checkRows(db: Db, space: checks.CheckedSpace): Promise<string[]> {
  return [
    ...(space.hasTurns ? await checkTurnIndex(db, space) : []),
    ...(space.hasMerged ? await checkAliases(db, space) : []),
    ...(space.hasReplaced ? await checkReplacements(db, space) : []),
    ...(space.hasTexts ? await checkPosted(db, space, space) : []),
  ]
}

/**
 * Completes interrupted deletions, recounts everything that can be recounted, and rebuilds a space's search index if it
 * is wrong. Does not repair history.
 */
export async function repairAll(ctx: Context): Promise<void> {
  await finishRemovals(ctx)
  for await (const slice of slices(ctx)) {
    for (const { accountId } of slice) {
      await transact(ctx, async ({ db }) => {
        await lockAccount(db, accountId)
        await checks.recountAccount(db, accountId)
      })
      await repairCredentials(ctx, accountId)
      for await (const space of spaces(ctx.db, only(accountId))) await repairSpace(ctx, space)
    }
  }
}

async function repairSpace(ctx: Context, space: checks.CheckedSpace): Promise<void> {
  const isRight = await transact(ctx, async ({ db }) => {
    await lockAccount(db, space.accountId)
    await recountSpace(db, space)
    await deleteStrayPassages(db, space)
    await deleteStrayVectors(db, space)
    return {
      graph: (await checkIndex(db, space)).length === 0,
      turns: (await checkTurnIndex(db, space)).length === 0,
    }
  })
  if (!isRight.graph) await rebuildIndex(ctx, space)
  if (!isRight.turns) await rebuildTurnIndex(ctx, space)
}

/** Consecutive accounts, which together store little unless it is one. */
async function* slices(ctx: Context): AsyncGenerator<checks.NamedAccount[], void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: checks.NamedAccount[] = await checks.listCheckedAccounts(ctx.db, after, accountsPerSlice)
    let slice: checks.NamedAccount[] = []
    let bytes = 0
    for (const account of page) {
      if (slice.length > 0 && bytes + account.bytes > bytesPerSlice) {
        yield slice
        slice = []
        bytes = 0
      }
      slice.push(account)
      bytes += account.bytes
    }
    if (slice.length > 0) yield slice
    after = page.at(-1)?.accountId
  }
}

async function* spaces(db: Db, { first, last }: Accounts): AsyncGenerator<checks.CheckedSpace, void> {
  for (let after: Scope | undefined = { accountId: first, spaceId: 0 }; after !== undefined; ) {
    const page: checks.CheckedSpace[] = await checks.listCheckedSpaces(db, {
      after,
      last,
      limit: rowsPerPage,
    })
    yield* page
    after = page.length < rowsPerPage ? undefined : page.at(-1)
  }
}

async function checkAccount(source: CheckedSource, accountId: number): Promise<string[]> {
  const { db } = source
  const { stored, counted } = await checks.countAccount(db, accountId)
  const months = await checks.listMonthDifferences(db, only(accountId))
  const keys = await checks.listKeyDifferences(db, only(accountId))
  return [
    ...(['entities', 'bytes', 'conversationBytes'] as const)
      .filter((name) => stored[name] !== counted[name])
      .map((name) => `the account's counter of ${name} is ${stored[name]}, should be ${counted[name]}`),
    ...months.map(
      ({ month, stored, counted }) =>
        `the operations of ${month} are ${stored}, should be ${counted} or more`,
    ),
    ...keys.map(
      ({ keyId, stored, counted }) => `the active days of key ${keyId} are ${stored}, should be ${counted}`,
    ),
    ...(await checkCredentials(source, only(accountId))),
  ]
}
