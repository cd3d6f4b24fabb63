import type { Handlers } from '../../doors/http/routes.ts'
import { deleteConnection, listConnections, updateConnection } from './connections.service.ts'
import { approveRequest, getRequest, refuseRequest } from './requests.service.ts'

export const connectionRoutes = {
  listConnections: async ({ ctx, actor, query }) => ({
    connections: await listConnections(ctx, actor, query),
  }),
  updateConnection: ({ ctx, actor, params, body }) => updateConnection(ctx, actor, params.id, body),
  deleteConnection: ({ ctx, actor, params }) => deleteConnection(ctx, actor, params.id),
  getConnectionRequest: ({ ctx, actor, params, ...exchange }) => getRequest(ctx, actor, params.id, exchange),
  approveConnection: ({ ctx, actor, params, body, ...exchange }) =>
    approveRequest(ctx, actor, params.id, body, exchange),
  refuseConnection: ({ ctx, actor, params, ...exchange }) => refuseRequest(ctx, actor, params.id, exchange),
} satisfies Partial<Handlers>
