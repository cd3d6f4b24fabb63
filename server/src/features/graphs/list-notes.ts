import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { listNewestTexts } from '../../graph/newest-observations.repo.ts'

const noteMax = 280

/**
 * The newest observation of each entity, shortened, by entity id. Ids that are not the caller's entities are left out.
 */
export async function listNotes(
  { db }: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const texts = await listNewestTexts(db, actor, ids, noteMax)
  return Object.fromEntries([...texts].map(([id, text]) => [id, text.toWellFormed()]))
}
