import { listNewestTexts } from '../../rows/newest-observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

const noteMax = 280

/**
 * The newest observation of each entity that is told, shortened, by entity id. Ids that are not the caller's entities
 * are left out.
 */
export async function listNotes(
  { db, now }: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const texts = await listNewestTexts(db, actor, ids, { length: noteMax, now: now() })
  return Object.fromEntries([...texts].map(([id, text]) => [id, text.toWellFormed()]))
}
