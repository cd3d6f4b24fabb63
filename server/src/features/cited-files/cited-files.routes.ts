import type { Handlers } from '../../doors/http/routes.ts'
import {
  confirmObservation,
  listCitedObservations,
  listSourcedObservations,
  listStaleObservations,
  verifyObservations,
} from './cited-files.service.ts'

export const citedFileRoutes = {
  verifyObservations: ({ ctx, actor, body }) => verifyObservations(ctx, actor, body),
  confirmObservation: async ({ ctx, actor, params }) => ({
    observation: await confirmObservation(ctx, actor, params.id),
  }),
  listCitedObservations: ({ ctx, actor, query }) => listCitedObservations(ctx, actor, query),
  listStaleObservations: ({ ctx, actor, query }) => listStaleObservations(ctx, actor, query),
  listSourcedObservations: ({ ctx, actor, query }) => listSourcedObservations(ctx, actor, query),
} satisfies Partial<Handlers>
