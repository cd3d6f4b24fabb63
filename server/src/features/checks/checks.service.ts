import { rebuildIndex } from '../../search/store/rebuild-index.ts'
import { rebuildTurnIndex } from '../../search/store/rebuild-turn-index.ts'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { finishSpaceRemovals } from '../spaces/remove-space.ts'
import { finishRemovals } from '../users/remove-account.ts'
import * as checks from './accounts.repo.ts'
import { checkCredentials, repairCredentials } from './check-credentials.ts'
import { checkHistory } from './check-history.ts'
import { checkIndex, checkTurnIndex, checkVectors } from './check-index.ts'
import { checkSpace } from './check-space.ts'
import { deleteStrayPassages, deleteStrayVectors } from './indexes.repo.ts'
import { isEmptySpace, recountSpace } from './spaces.repo.ts'

/** A difference, in words; without `space` it concerns the account as a whole. */
export type Difference = { accountId: string; space?: string; message: string }

const rowsPerPage = 100

/** Checks every counter, the history, the credentials and the search index against the rows, by account and space. */
export async function* checkAll(ctx: Context): AsyncGenerator<Difference, void> {
  for await (const account of accounts(ctx)) {
    const messages = await ctx.dialect.snapshot(ctx.db, async (snapshot) => [
      ...(await checkAccount(snapshot, account.accountId)),
      ...(await checkCredentials({ ...ctx, db: snapshot }, account.accountId)),
    ])
    for (const message of messages) yield { accountId: account.id, message }
    for await (const space of spaces(ctx, account)) {
      const messages = await ctx.dialect.snapshot(ctx.db, (snapshot) => checkWhole(snapshot, space))
      for (const message of messages) yield { accountId: account.id, space: space.name, message }
    }
  }
}

async function checkWhole(db: Db, space: checks.CheckedSpace): Promise<string[]> {
  const ofTurns = await checkTurnIndex(db, space)
  if (await isEmptySpace(db, space)) return ofTurns
  return [
    ...ofTurns,
    ...(await checkSpace(db, space)),
    ...(await checkHistory(db, space)),
    ...(await checkIndex(db, space)),
    ...(await checkVectors(db, space)),
  ]
}

/**
 * Completes interrupted deletions, recounts everything that can be recounted, and rebuilds a space's search index if it
 * is wrong. Does not repair history.
 */
export async function repairAll(ctx: Context): Promise<void> {
  await finishRemovals(ctx)
  await finishSpaceRemovals(ctx)
  for await (const account of accounts(ctx)) {
    await transact(ctx, async ({ db }) => {
      await lockAccount(db, account.accountId)
      await checks.recountAccount(db, account.accountId)
    })
    await repairCredentials(ctx, account.accountId)
    for await (const space of spaces(ctx, account)) await repairSpace(ctx, space)
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

async function* accounts(ctx: Context): AsyncGenerator<checks.NamedAccount, void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: checks.NamedAccount[] = await checks.listCheckedAccounts(ctx.db, after, rowsPerPage)
    yield* page
    after = page.at(-1)?.accountId
  }
}

async function* spaces(
  ctx: Context,
  account: checks.NamedAccount,
): AsyncGenerator<checks.CheckedSpace, void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: checks.CheckedSpace[] = await checks.listCheckedSpaces(ctx.db, account, after, rowsPerPage)
    yield* page
    after = page.length < rowsPerPage ? undefined : page.at(-1)?.spaceId
  }
}

async function checkAccount(db: Db, accountId: number): Promise<string[]> {
  const { stored, counted } = await checks.countAccount(db, accountId)
  const months = await checks.listMonthDifferences(db, { accountId })
  const keys = await checks.listKeyDifferences(db, { accountId })
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
  ]
}
