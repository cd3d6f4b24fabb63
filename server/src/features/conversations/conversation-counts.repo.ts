import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

export type CountedGroup = {
  agent: string
  project: string | null
  conversations: number
  turns: number
  bytes: number
}

/** The newest conversations of a space, at most `max`, counted by agent and project. */
export async function countNewest(
  db: Db,
  { accountId, spaceId }: Scope,
  max: number,
): Promise<CountedGroup[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('conversations')
        .select(['agent', 'project', 'turns', 'bytes'])
        .where('account_id', '=', accountId)
        .where('space_id', '=', spaceId)
        .orderBy('ended_at', 'desc')
        .orderBy('id', 'desc')
        .limit(max)
        .as('newest'),
    )
    .select(['agent', 'project'])
    .select(sql<number>`count(*)`.as('conversations'))
    .select(sql<number>`sum(turns)`.as('turns'))
    .select(sql<number>`sum(bytes)`.as('bytes'))
    .groupBy(['agent', 'project'])
    .execute()
  return rows.map(({ conversations, turns, bytes, ...group }) => ({
    ...group,
    conversations: Number(conversations),
    turns: Number(turns),
    bytes: Number(bytes),
  }))
}
