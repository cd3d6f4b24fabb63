import type { Db } from '../../store/db.ts'

const name = 'sandbox'

/** How far the sandbox clock is ahead, milliseconds. */
export async function getClockOffset(db: Db): Promise<number> {
  const row = await db
    .selectFrom('test_clock')
    .select('offset_ms')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.offset_ms ?? 0
}

/** Advances the sandbox clock. */
export async function advanceClock(db: Db, by: number): Promise<void> {
  await db
    .insertInto('test_clock')
    .values({ name, offset_ms: by })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ offset_ms: eb('test_clock.offset_ms', '+', by) })),
    )
    .execute()
}
