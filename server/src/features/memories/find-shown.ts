import { shownText } from '../../ground/lib/for-models.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

const comparedMax = 200

/** Among the newest observations of an entity, those that models are shown as these texts, by the text. */
export async function findShownAs(
  db: Db,
  scope: Scope,
  entityId: string,
  texts: readonly string[],
): Promise<Map<string, StoredObservation>> {
  if (texts.length === 0) return new Map()
  const wanted = new Set(texts)
  const newest = await listNewestObservations(db, scope, entityId, { limit: comparedMax })
  const shown = newest.map((one): [string, StoredObservation] => [shownText(one.content), one])
  return new Map(shown.filter(([text, { content }]) => text !== content && wanted.has(text)))
}
