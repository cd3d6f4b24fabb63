import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { listNewestTexts } from '../../graph/newest-observations.repo.ts'

const noteMax = 280

/** The newest observation of each entity, cut short, by the entity's id; what is no entity of the caller is left out. */
export async function listNotes(
  { db }: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const texts = await listNewestTexts(db, actor, ids, noteMax)
  return Object.fromEntries([...texts].map(([id, text]) => [id, text.toWellFormed()]))
}
