import { etagOf, type Handlers, versionTest } from '../../doors/http/routes.ts'
import { getMap, storeMap } from './maps.service.ts'
import { listRegionNames, nameRegion, unnameRegion } from './region-names.service.ts'

export const mapRoutes = {
  getGraphPlaces: async ({ ctx, actor, query, reply }) => {
    const map = await getMap(ctx, actor, query)
    reply.header('etag', etagOf(map.version))
    return map
  },
  putGraphPlaces: async ({ ctx, actor, body, request, reply }) => {
    const map = await storeMap(ctx, actor, body, versionTest(request.headers['if-match']))
    reply.header('etag', etagOf(map.version))
    return map
  },
  listRegionNames: async ({ ctx, actor }) => ({ names: await listRegionNames(ctx, actor) }),
  nameRegion: ({ ctx, actor, params, body }) => nameRegion(ctx, actor, params.entityId, body.name),
  unnameRegion: ({ ctx, actor, params }) => unnameRegion(ctx, actor, params.entityId),
} satisfies Partial<Handlers>
