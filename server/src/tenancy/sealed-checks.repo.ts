import type { Db } from '../store/db.ts'

const name = 'secret'

/** The check value sealed with the secret of this database; undefined before its first start. */
export async function findSealedCheck(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('sealed_checks')
    .select('sealed')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.sealed
}

/** Stores it unless another process was first; returns the stored value. */
export async function insertSealedCheck(db: Db, sealed: string): Promise<string> {
  await db
    .insertInto('sealed_checks')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findSealedCheck(db))!
}

export async function replaceSealedCheck(db: Db, sealed: string): Promise<void> {
  await db.updateTable('sealed_checks').set({ sealed }).where('name', '=', name).execute()
}
