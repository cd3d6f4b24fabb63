import type { Scope } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Dialect } from '../../db/dialect.ts'
import { transact } from '../../db/transact.ts'
import { lockAccount } from '../../auth/accounts.repo.ts'
import { getCounters } from '../../graph/counters.repo.ts'
import { indexAnew } from '../../search-index/index-anew.ts'
import { findIndexedSpace } from '../../search-index/search-index.repo.ts'
import * as checks from './checks.repo.ts'

/** Something that does not agree with something else, in words; of an account as a whole without a space. */
export type Difference = { accountId: string; spaceId?: string; message: string }

const idsPerPage = 100

/** Holds every counter, the change log and the search index against the rows, account by account, space by space. */
export async function* checkAll(ctx: Context): AsyncGenerator<Difference, void> {
  for await (const accountId of accounts(ctx)) {
    const messages = await ctx.dialect.snapshot(ctx.db, (snapshot) => checkAccount(snapshot, accountId))
    for (const message of messages) yield { accountId, message }
  }
  for await (const scope of spaces(ctx)) {
    const messages = await ctx.dialect.snapshot(ctx.db, async (snapshot) => [
      ...(await checkSpace(snapshot, scope)),
      ...(await checkIndex(snapshot, ctx.dialect, scope)),
    ])
    for (const message of messages) yield { ...scope, message }
  }
}

/** Recounts all that can be recounted, and makes the search index of a space anew where it is wrong. */
export async function repairAll(ctx: Context): Promise<void> {
  for await (const accountId of accounts(ctx)) {
    await transact(ctx, async ({ db, dialect }) => {
      await lockAccount(db, dialect, accountId)
      await checks.recountAccount(db, accountId)
    })
  }
  for await (const scope of spaces(ctx)) {
    await transact(ctx, async ({ db, dialect }) => {
      await lockAccount(db, dialect, scope.accountId)
      await checks.recount(db, scope)
      if ((await checkIndex(db, dialect, scope)).length > 0) await indexAnew({ db, dialect }, scope)
    })
  }
}

async function* accounts(ctx: Context): AsyncGenerator<string, void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: string[] = await checks.listAccounts(ctx.db, after, idsPerPage)
    yield* page
    after = page.at(-1)
  }
}

async function* spaces(ctx: Context): AsyncGenerator<Scope, void> {
  for (let after: Scope | undefined = { accountId: '', spaceId: '' }; after !== undefined; ) {
    const page: Scope[] = await checks.listSpaces(ctx.db, after, idsPerPage)
    yield* page
    after = page.at(-1)
  }
}

async function checkAccount(db: Db, accountId: string): Promise<string[]> {
  const entities = await checks.countAccountEntities(db, accountId)
  const months = await checks.listMonthDifferences(db, accountId)
  const keys = await checks.listKeyDifferences(db, accountId)
  return [
    ...(entities.counted === entities.stored
      ? []
      : [`the account's counter of entities is ${entities.stored}, should be ${entities.counted}`]),
    ...months.map(
      ({ month, stored, counted }) => `the operations of ${month} are ${stored}, should be ${counted}`,
    ),
    ...keys.map(
      ({ keyId, stored, counted }) => `the active days of key ${keyId} are ${stored}, should be ${counted}`,
    ),
  ]
}

async function checkSpace(db: Db, scope: Scope): Promise<string[]> {
  return [
    ...(await checkCounters(db, scope)),
    ...(await checkTypes(db, scope)),
    ...(await checkEntities(db, scope)),
    ...(await checkRows(db, scope)),
  ]
}

async function checkCounters(db: Db, scope: Scope): Promise<string[]> {
  const stored = await getCounters(db, scope)
  const counted = await checks.countRows(db, scope)
  const names = ['entities', 'relations', 'observations', 'seq'] as const
  return [
    ...names
      .filter((name) => stored[name] !== counted[name])
      .map((name) => `the space's counter of ${name} is ${stored[name]}, should be ${counted[name]}`),
    ...(counted.changes === counted.seq
      ? []
      : [`the change log has gaps: ${counted.changes} changes, the last is number ${counted.seq}`]),
  ]
}

async function checkTypes(db: Db, scope: Scope): Promise<string[]> {
  const differences = await checks.listTypeDifferences(db, scope)
  return differences.map(
    ({ kind, type, stored, counted }) =>
      `the count of ${kind} type ${JSON.stringify(type)} is ${stored}, should be ${counted}`,
  )
}

async function checkEntities(db: Db, scope: Scope): Promise<string[]> {
  const differences = await checks.listEntityDifferences(db, scope)
  return differences.flatMap(({ id, observations, observationsCounted, degree, degreeCounted }) => [
    ...(observations === observationsCounted
      ? []
      : [`${id} counts ${observations} observations, should be ${observationsCounted}`]),
    ...(degree === degreeCounted ? [] : [`${id} counts ${degree} relation ends, should be ${degreeCounted}`]),
  ])
}

async function checkRows(db: Db, scope: Scope): Promise<string[]> {
  const orphans = await checks.listOrphans(db, scope)
  const messages = orphans.map((id) => `${id} belongs to an entity that is not there`)
  for (const table of ['entities', 'relations', 'observations'] as const) {
    for (const id of await checks.listUnlogged(db, scope, table)) {
      messages.push(`the change log and the table of ${table} disagree about ${id}`)
    }
  }
  return messages
}

async function checkIndex(db: Db, dialect: Dialect, scope: Scope): Promise<string[]> {
  const differences = await checks.listIndexDifferences(db, scope)
  const space = await findIndexedSpace(db, scope)
  const unposted = space === undefined ? [] : await dialect.postings.listUnposted(db, space, 20)
  const { stored, counted } = await checks.countIndexed(db, scope)
  return [
    ...differences.map((id) => `the search index and the tables disagree about ${id}`),
    ...unposted.map((id) => `the passage ${id} of the search index is in no posting`),
    ...(['passages', 'length'] as const)
      .filter((name) => stored[name] !== counted[name])
      .map((name) => `the search index counts ${stored[name]} as ${name}, should be ${counted[name]}`),
  ]
}
