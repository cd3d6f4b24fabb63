import { isStorableText } from '@loci/contract/text'
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { openNodes, readGraph } from '../../features/memories/read-memories.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { entityUriPrefix, graphUri } from './addresses.ts'
import { asShown } from './as-shown.ts'
import { toJsonText } from './tool.ts'

const mimeType = 'application/json'

export const listedResources = [
  {
    uri: graphUri,
    name: 'knowledge-graph',
    title: 'Knowledge Graph',
    description: 'Entities, observations and relations as JSON, oldest first; as much as fits in one answer',
    mimeType,
  },
]

export const listedTemplates = [
  {
    uriTemplate: `${entityUriPrefix}{name}`,
    name: 'entity',
    title: 'Entity',
    description: 'One entity by its exact name, with its observations and the relations that touch it',
    mimeType,
  },
]

/** The text of a resource. Throws the protocol's "resource not found". */
export async function readResource(
  ctx: Context,
  actor: Actor,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string }> {
  const graph = uri === graphUri ? await readGraph(ctx, actor) : await readEntity(ctx, actor, uri)
  return { uri, mimeType, text: toJsonText(asShown(graph)) }
}

async function readEntity(ctx: Context, actor: Actor, uri: string) {
  const name = uri.startsWith(entityUriPrefix) ? decode(uri.slice(entityUriPrefix.length)) : undefined
  const graph = name === undefined ? undefined : await openNodes(ctx, actor, [name])
  if (graph === undefined || graph.entities.length === 0) throw new ResourceNotFoundError(uri)
  return graph
}

function decode(text: string): string | undefined {
  try {
    const name = decodeURIComponent(text)
    return isStorableText(name) ? name : undefined
  } catch {
    return undefined
  }
}
