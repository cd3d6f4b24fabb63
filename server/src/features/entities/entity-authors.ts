import type { EntityWithObservations } from '@loci/contract/entities'
import { numberOf } from '../../ground/lib/ids.ts'
import { findAuthors } from '../../memory/history/authors.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** Adds the creator of the entity and the author of each observation. */
export async function withAuthors(
  { db }: Context,
  actor: Actor,
  entity: EntityWithObservations,
): Promise<EntityWithObservations> {
  const own = numberOf('ent', entity.id)
  const numbers = entity.observations.map(({ id }) => numberOf('obs', id))
  const by = (await findAuthors(db, actor, 'entities', [own])).get(own)
  const authors = await findAuthors(db, actor, 'observations', numbers)
  const observations = entity.observations.map((observation, index) => {
    const author = authors.get(numbers[index]!)
    return author === undefined ? observation : { ...observation, by: author }
  })
  return { ...entity, observations, ...(by && { by }) }
}
