import type { Handlers } from '../../http/routes.ts'
import { getEmbeddingsStatus } from './embeddings.service.ts'

export const embeddingsRoutes: Handlers<'embeddingsStatus'> = {
  embeddingsStatus: ({ ctx, actor }) => getEmbeddingsStatus(ctx, actor),
}
