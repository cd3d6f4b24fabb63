import type { CallToolResult } from '@modelcontextprotocol/server'
import { shownName } from '../../ground/lib/for-models.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { fieldsMetaKey } from './tool.ts'

/** Key in `_meta`, as the protocol reserves it: where the entities of an answer are on the map of their space. */
const mapMetaKey = 'dev.loci/map'
/** More are not sent; the graph in the chat places them beside their neighbours. */
const namesMax = 100

type Named = { name: string }
type Found = {
  entity?: Named
  entities?: Named[]
  observations?: { entity: Named }[]
  relations?: { from: string; to: string }[]
}

/** Adds to an answer where its entities are, for the graph in the chat. */
export async function withPlaces(
  ctx: Context,
  actor: Actor,
  result: CallToolResult,
): Promise<CallToolResult> {
  const names = namesIn(result._meta?.[fieldsMetaKey] ?? result.structuredContent)
  const { findPlacesByName } = await import('../../features/maps/places-by-name.ts')
  const found = await findPlacesByName(ctx, actor, names)
  if (found === undefined) return result
  const map = {
    regions: found.regions.map((region) => ({ ...region, name: shownName(region.name) })),
    places: found.places,
  }
  return { ...result, _meta: { ...result._meta, [mapMetaKey]: map } }
}

function namesIn(found: unknown): string[] {
  const { entity, entities = [], observations = [], relations = [] } = Object(found) as Found
  const named = [...(entity ? [entity] : []), ...observations.map((fact) => fact.entity), ...entities]
  const ends = relations.flatMap(({ from, to }) => [from, to])
  return [...new Set([...named.map(({ name }) => name), ...ends])].slice(0, namesMax)
}
