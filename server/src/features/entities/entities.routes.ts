import type { EntitiesResponse, Entity, ListEntitiesQuery } from '@loci/contract/entities'
import type { CreateObservations } from '@loci/contract/observations'
import { fromPathSegment } from '@loci/contract/path-segment'
import type { FastifyReply } from 'fastify'
import { inPieces } from '../../doors/http/long-answer.ts'
import { etagOf, type Handlers, versionTest } from '../../doors/http/routes.ts'
import { type Actor, mayHaveProposals } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { deleteEntities, mergeInto, retypeEntities } from './bulk-entities.service.ts'
import {
  createBatch,
  createEntity,
  createObservations,
  deleteEntity,
  deleteObservation,
  getEntity,
  listEntities,
  updateEntity,
  type VersionedEntity,
} from './entities.service.ts'
import { getEntityAsOf, listEntitiesAsOf } from './entities-as-of.ts'
import { withAuthors } from './entity-authors.ts'
import { listTypes, updateType } from './entity-types.service.ts'
import { moveEntities } from './move-entities.service.ts'

/** An entity with more is sent in pieces. */
const observationsAtOnceMax = 20
const isLong = ({ observations = [] }: Entity) => observations.length > observationsAtOnceMax

export const entityRoutes = {
  moveEntities: ({ ctx, actor, body }) => moveEntities(ctx, actor, body),
  listEntities: async ({ ctx, actor, query, reply }) => {
    const answer =
      query.asOf === undefined
        ? await listCurrent(ctx, actor, query)
        : await listEntitiesAsOf(ctx, actor, query, query.asOf)
    return answer.entities.some(isLong) ? inPieces(reply, answer) : answer
  },
  listEntityTypes: async ({ ctx, actor }) => ({ types: await listTypes(ctx, actor) }),
  updateEntityType: ({ ctx, actor, params, body }) =>
    updateType(ctx, actor, fromPathSegment(params.type), body),
  getEntity: async ({ ctx, actor, params, query, request, reply }) => {
    const found =
      query.asOf === undefined
        ? await readEntity(ctx, actor, params.id)
        : { entity: await getEntityAsOf(ctx, actor, params.id, query.asOf), version: notCurrent }
    const { entity } = found.version === notCurrent ? found : withETag(reply, found)
    const wanted = query.include ?? preferred(request.headers.prefer)
    const answer = {
      entity: wanted.includes('by') ? await withAuthors(ctx, actor, entity) : entity,
      ...(found.version === onlyProposed ? { proposed: true as const } : {}),
    }
    return isLong(entity) ? inPieces(reply, answer) : answer
  },
  createEntity: async ({ ctx, actor, body, reply }) => {
    const { similar, rivals, ...created } = await createEntity(ctx, actor, body)
    return { ...withETag(reply, created), similar, rivals }
  },
  updateEntity: async ({ ctx, actor, params, body, request, reply }) => {
    const ifMatch = versionTest(request.headers['if-match'])
    const { rivals, ...updated } = await updateEntity(ctx, actor, params.id, body, ifMatch)
    return { ...withETag(reply, updated), rivals }
  },
  deleteEntity: ({ ctx, actor, params, request }) =>
    deleteEntity(ctx, actor, params.id, versionTest(request.headers['if-match'])),
  createObservations: ({ ctx, actor, params, body }) =>
    createObservations(ctx, actor, params.id, toInputs(body)),
  deleteObservation: ({ ctx, actor, params }) =>
    deleteObservation(ctx, actor, params.id, params.observationId),
  createBatch: ({ ctx, actor, body }) => createBatch(ctx, actor, body),
  deleteEntities: ({ ctx, actor, body }) => deleteEntities(ctx, actor, body.ids),
  retypeEntities: ({ ctx, actor, body }) => retypeEntities(ctx, actor, body),
  mergeEntities: ({ ctx, actor, body }) => mergeInto(ctx, actor, body),
} satisfies Partial<Handlers>

/** Versions of what no write can be compared with. */
const notCurrent = -1
const onlyProposed = 0

async function readEntity(ctx: Context, actor: Actor, id: string): Promise<VersionedEntity> {
  if (!mayHaveProposals(actor)) return getEntity(ctx, actor, id)
  const { getEntityWithProposed } = await import('./own-proposed-entity.ts')
  return getEntityWithProposed(ctx, actor, id)
}

async function listCurrent(ctx: Context, actor: Actor, query: ListEntitiesQuery): Promise<EntitiesResponse> {
  const list = (asked: ListEntitiesQuery) => listEntities(ctx, actor, asked)
  if (!mayHaveProposals(actor)) return list(query)
  const { listWithProposed } = await import('../proposals/own-in-lists.ts')
  return listWithProposed(ctx, actor, query, list)
}

function toInputs(body: CreateObservations) {
  return 'observations' in body ? body.observations : [body]
}

/**
 * The includes requested by `Prefer: include=by` (RFC 7240), which means the same as the parameter but keeps the
 * address plain.
 */
function preferred(prefer: string | string[] | undefined): string[] {
  const [, include = ''] = /(?:^|[,;])\s*include="?([\w,]*)/.exec(String(prefer ?? '')) ?? []
  return include.split(',')
}

function withETag(reply: FastifyReply, { entity, version }: VersionedEntity) {
  reply.header('etag', etagOf(version))
  return { entity }
}
