import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'

/** Calls of an agent on one day. */
export type AgentCalls = { accountId: number; name: string; day: string; calls: number; lastUsedAt: number }
export type StoredAgent = {
  name: string
  firstSeenAt: number
  lastSeenAt: number
  day: string
  dayCalls: number
}

/** Names come from outside: the most recent callers are kept. */
const agentsPerAccountMax = 100

/** Adds calls, days in order. Returns whether the agent is new. */
export async function addAgentCalls(db: Db, { accountId, name, day, calls, lastUsedAt }: AgentCalls) {
  const { isNew } = await db
    .insertInto('agents')
    .values({
      account_id: accountId,
      name,
      first_seen_at: lastUsedAt,
      last_seen_at: lastUsedAt,
      calls,
      day,
      day_calls: calls,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'name']).doUpdateSet({
        last_seen_at: sql<number>`excluded.last_seen_at`,
        calls: sql<number>`agents.calls + excluded.calls`,
        day: sql<string>`excluded.day`,
        day_calls: sql<number>`case when agents.day = excluded.day then agents.day_calls else 0 end + excluded.day_calls`,
      }),
    )
    .returning((eb) => eb('calls', '=', calls).as('isNew'))
    .executeTakeFirstOrThrow()
  return Boolean(isNew)
}

/** Deletes the agents that have been inactive longest. */
export async function trimAgents(db: Db, accountId: number): Promise<void> {
  await db
    .deleteFrom('agents')
    .where('account_id', '=', accountId)
    .where('name', 'not in', (eb) =>
      eb
        .selectFrom('agents')
        .select('name')
        .where('account_id', '=', accountId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('name')
        .limit(agentsPerAccountMax),
    )
    .execute()
}

/** The most recent caller first. */
export async function listAgents(db: Db, accountId: number): Promise<StoredAgent[]> {
  return db
    .selectFrom('agents')
    .select([
      'name',
      'first_seen_at as firstSeenAt',
      'last_seen_at as lastSeenAt',
      'day',
      'day_calls as dayCalls',
    ])
    .where('account_id', '=', accountId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('name')
    .limit(agentsPerAccountMax)
    .execute()
}
