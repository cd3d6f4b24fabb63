import type { ChangeActor } from '@loci/contract/change-actor'
import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { listUserNames } from '../../tenancy/auth/user-names.repo.ts'

const selectOther = prepared((db: Db, values: { accountId: number; userId: string }) =>
  statement<{ other: number }>(
    db,
    sql`select 1 as other from members where account_id = ${values.accountId} and user_id <> ${values.userId}
      union all
      select 1 from actors where account_id = ${values.accountId} and kind in ('session', 'personal_key')
        and ref <> ${values.userId}
      limit 1`,
  ),
)

/** Whether anybody but this person belongs to the account, or has written to it by hand. */
export const hasOtherPeople = async (db: Db, accountId: number, userId: string): Promise<boolean> =>
  (await selectOther(db, { accountId, userId })).length > 0

/** The people who acted, by the id of their key, connection or themselves; keys and connections that are gone have none. */
export async function findPeople(
  db: Db,
  accountId: number,
  actors: readonly ChangeActor[],
): Promise<Map<string, { userId: string; name: string }>> {
  const idsOf = (kind: ChangeActor['kind']) => actors.filter((one) => one.kind === kind).map(({ id }) => id)
  const keys = await findOwners(db, accountId, 'api_keys', idsOf('api_key'))
  const connections = await findOwners(db, accountId, 'oauth_grants', idsOf('oauth'))
  const own = actors.flatMap(({ kind, id }) =>
    kind === 'api_key' || kind === 'oauth' ? [] : [{ id, userId: id }],
  )
  const all = [...keys, ...connections, ...own]
  const names = await listUserNames(db, [...new Set(all.map(({ userId }) => userId))])
  return new Map(all.map(({ id, userId }) => [id, { userId, name: names.get(userId) ?? '' }]))
}

async function findOwners(
  db: Db,
  accountId: number,
  table: 'api_keys' | 'oauth_grants',
  ids: readonly string[],
): Promise<{ id: string; userId: string }[]> {
  if (ids.length === 0) return []
  const rows = db
    .selectFrom(table)
    .where('account_id', '=', accountId)
    .where(dialectOf(db).isOneOf('id', ids))
  return table === 'api_keys'
    ? rows.select(['id', 'created_by as userId']).execute()
    : rows.select(['id', 'user_id as userId']).execute()
}
