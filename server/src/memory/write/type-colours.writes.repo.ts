import { knownEntityTypes, typeColourMax } from '@loci/contract/entity-types'
import type { Db } from '../../store/db.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

const firstFree = knownEntityTypes.length + 1

const ofEntityTypes = (db: Db, scope: Scope) =>
  db.selectFrom('type_counts').where(isIn(scope)).where('kind', '=', 'entity')

/** The lowest unused colour; if all are used, the one after the last assigned. */
export async function nextColour(db: Db, scope: Scope): Promise<number> {
  const rows = await ofEntityTypes(db, scope)
    .select('colour')
    .distinct()
    .where('colour', '>=', firstFree)
    .where('colour', '<=', typeColourMax)
    .execute()
  const taken = new Set(rows.map(({ colour }) => colour))
  for (let colour = firstFree; colour <= typeColourMax; colour++) if (!taken.has(colour)) return colour
  const last = await ofEntityTypes(db, scope)
    .select('colour')
    .where('colour', 'is not', null)
    .orderBy('colour', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return last.colour! + 1
}

export async function setTypeColour(
  db: Db,
  scope: Scope,
  type: string,
  colour: number | null,
): Promise<void> {
  await db
    .updateTable('type_counts')
    .set({ colour })
    .where(isIn(scope))
    .where('kind', '=', 'entity')
    .where('type', '=', type)
    .execute()
}
