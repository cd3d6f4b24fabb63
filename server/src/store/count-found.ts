import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query finds. */
export async function countFound<Db, Tables extends keyof Db>(
  query: SelectQueryBuilder<Db, Tables, object>,
): Promise<number> {
  const { count } = await query
    .select((eb) => eb.fn.countAll().as('count'))
    .$castTo<{ count: number | string | bigint }>()
    .executeTakeFirstOrThrow()
  return Number(count)
}
