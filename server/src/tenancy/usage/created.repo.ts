import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../scope.ts'

/** What was created in a space on a day (UTC). */
export type Created = Scope & { day: string; entities: number; relations: number; observations: number }

const upsertDay = prepared((db, values: Created) =>
  statement<never>(
    db,
    sql`insert into daily_counts (account_id, space_id, day, entities_created, relations_created, observations_created)
      select account_id, space_id, ${values.day}, cast(${values.entities} as bigint),
        cast(${values.relations} as bigint), cast(${values.observations} as bigint)
      from spaces where account_id = ${values.accountId} and space_id = ${values.spaceId} and deleted_at is null
      on conflict (account_id, space_id, day) do update set
        entities_created = daily_counts.entities_created + excluded.entities_created,
        relations_created = daily_counts.relations_created + excluded.relations_created,
        observations_created = daily_counts.observations_created + excluded.observations_created`,
  ),
)

/** Adds to the counts of the day, unless the space was deleted. */
export async function storeCreated(db: Db, created: Created): Promise<void> {
  await upsertDay(db, created)
}
