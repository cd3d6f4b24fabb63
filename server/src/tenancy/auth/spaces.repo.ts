import { cachedUntilCommit } from '../../store/cached-until-commit.ts'
import type { Db } from '../../store/db.ts'
import { prepared } from '../../store/prepared.ts'

/** The spaces of an account that callers can use, without those being deleted. */

const present = (db: Db, accountId: number) =>
  db.selectFrom('spaces').where('account_id', '=', accountId).where('deleted_at', 'is', null)

/** Number of the space that a call works on unless it names one: `default`, or the oldest. */
export const homeSpaceOf = (db: Db, accountId: number) =>
  present(db, accountId).select((eb) => eb.fn.min<number | null>('space_id').as('home'))

/** How many spaces an account has. */
export const spaceCountOf = (db: Db, accountId: number) =>
  present(db, accountId).select((eb) => eb.fn.countAll<number>().as('spaces'))

/** How many spaces of an account have writes wait for a review. */
export const reviewedSpacesOf = (db: Db, accountId: number) =>
  present(db, accountId)
    .where('writes', '=', 'propose')
    .select((eb) => eb.fn.countAll<number>().as('reviewed'))

export type NamedSpace = { spaceId: number; name: string }

const listedMax = 1_000
const selectSpaces = prepared((db, { accountId }: { accountId: number }) =>
  present(db, accountId).select(['space_id as spaceId', 'name']).orderBy('space_id').limit(listedMax),
)

const findSpaces = cachedUntilCommit((db, accountId) => selectSpaces(db, { accountId: Number(accountId) }))

/** Oldest first. */
export const listSpaceNames = (db: Db, accountId: number): Promise<readonly NamedSpace[]> =>
  findSpaces(db, String(accountId))
