import { setImmediate as nextTask } from 'node:timers/promises'
import { AppError } from '../../ground/errors/app-error.ts'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { hourMs } from '../../ground/lib/time.ts'
import type { Db } from '../../store/db.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { postingsOf } from './posting-lists.ts'
import type { PostedRow } from './postings.ts'

type Folding = Pick<Context, 'db' | 'dialect'>

/**
 * Compacts the postings of single writes in all spaces, in short transactions between which others can
 * write. `goOn` is called before each of them. A space that fails does not stop the others; the first
 * error is thrown at the end.
 */
export async function foldPostings({ db, dialect }: Folding, goOn: GoOn = async () => true): Promise<void> {
  const errors: unknown[] = []
  for (let after: Scope = { accountId: 0, spaceId: 0 }; ; ) {
    const space: Scope | undefined = await postingsOf(dialect).findUnfolded(db, after)
    if (space === undefined) break
    const isDone = await foldSpace({ db, dialect }, space, goOn).catch((error) => errors.push(error) > 0)
    if (!isDone) return
    after = space
  }
  if (errors.length > 0) throw errors[0]
}

async function foldSpace(folding: Folding, space: Scope, goOn: GoOn): Promise<boolean> {
  let after: PostedRow | undefined
  do {
    if (!(await goOn())) return false
    after = await foldSlice(folding, space, after)
    await nextTask()
  } while (after !== undefined)
  return true
}

async function foldSlice({ db, dialect }: Folding, space: Scope, after: PostedRow | undefined) {
  const work = async (tx: Db) => {
    // Writers remove and add postings under the same lock.
    await lockAccount(tx, space.accountId)
    return postingsOf(dialect).fold(tx, space, after)
  }
  return dialect.transaction(db, work, space.accountId).catch((error) => {
    // Postings of an account being deleted are removed with it.
    if (error instanceof AppError && error.code === 'not_authenticated') return undefined
    throw error
  })
}

/** Folds once an hour. */
export const createPostingFolder = (
  ctx: Context,
  times?: Parameters<typeof createLeasedRounds>[2],
): PeriodicWork =>
  createLeasedRounds(
    ctx,
    {
      name: 'postings',
      everyMs: hourMs,
      run: (goOn) => foldPostings(ctx, goOn),
      failure: 'postings could not be folded',
    },
    times,
  )
