import { isTold, type Observation, type Rival } from '@loci/contract/observations'
import { compareIds } from '../../ground/lib/ids.ts'
import { findNamed } from '../../memory/write/find-named.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import { findRivals } from '../../search/find/rivals.rules.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { subjectsIn } from './subjects.rules.ts'

const rivalsMax = 3
/** The newest facts that are compared, of this many entities of a call, with this many of the new ones. */
const comparedMax = 100
const entitiesMax = 10
const newMax = 20
/** The names looked up, and the entities of these names whose facts are compared. */
const namesMax = 100
const subjectsMax = 3
const charactersCompared = 2_000
const charactersShown = 500

/** New observations of an entity; `isNew` if it has no others. */
export type Added = {
  id: string
  name: string
  observations: readonly Pick<Observation, 'id' | 'content' | 'replaces'>[]
  isNew?: boolean
}

/**
 * At most three earlier current facts that could say the same as a new one or the opposite, nearest first: of the same
 * entity, then of the entities that the new one names.
 */
export async function listRivals(ctx: Context, actor: Actor, added: readonly Added[]): Promise<Rival[]> {
  const rivals = new Map<string, Rival>()
  for (const { id, name, observations, isNew = false } of added.slice(0, entitiesMax)) {
    const [first] = observations
    if (first === undefined) continue
    const contents = observations.slice(0, newMax).map(({ content }) => content.slice(0, charactersCompared))
    const compare = async (subject: { id: string; name: string }) => {
      const earlier = await listEarlier(ctx, actor, subject.id, first.id)
      for (const content of contents)
        for (const rival of findRivals(content, earlier, subject.name).slice(0, rivalsMax))
          rivals.set(rival.id, rival)
    }
    if (!isNew) await compare({ id, name })
    if (rivals.size >= rivalsMax) break
    for (const subject of await findSubjects(ctx, actor, contents, { id, name })) await compare(subject)
  }
  return [...rivals.values()]
    .slice(0, rivalsMax)
    .map((rival) => ({ ...rival, content: rival.content.slice(0, charactersShown).toWellFormed() }))
}

/** The other entities that new facts name. */
async function findSubjects(
  { db }: Context,
  actor: Actor,
  contents: readonly string[],
  own: { id: string; name: string },
): Promise<{ id: string; name: string }[]> {
  const names = new Set(contents.flatMap(subjectsIn))
  names.delete(own.name)
  if (names.size === 0) return []
  const found = await findNamed(db, actor, [...names].slice(0, namesMax))
  const byId = new Map([...found.values()].map((entity) => [entity.id, entity]))
  byId.delete(own.id)
  return [...byId.values()].slice(0, subjectsMax)
}

async function listEarlier(ctx: Context, actor: Actor, entityId: string, before: string): Promise<Rival[]> {
  const rows = await listNewestObservations(ctx.db, actor, entityId, { before, limit: comparedMax })
  return rows
    .filter((row) => isTold(row, ctx.now()) && compareIds(row.id, before) < 0)
    .map(({ id, content, at }) => ({ id, content: content.slice(0, charactersCompared), ...(at && { at }) }))
}
