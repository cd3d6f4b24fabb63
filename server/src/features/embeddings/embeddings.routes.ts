import type { Handlers } from '../../doors/http/routes.ts'
import { cancelInstallation, choose, getChoice, turnOff } from './choice.service.ts'
import { getEmbeddingsStatus } from './embeddings.service.ts'

export const embeddingsRoutes = {
  embeddingsStatus: ({ ctx, actor }) => getEmbeddingsStatus(ctx, actor),
  getEmbeddingsChoice: ({ ctx, actor }) => getChoice(ctx, actor),
  chooseEmbeddings: ({ ctx, actor, body }) => choose(ctx, actor, body),
  stopEmbeddingsInstallation: ({ ctx, actor }) => cancelInstallation(ctx, actor),
  turnOffEmbeddings: ({ ctx, actor }) => turnOff(ctx, actor),
} satisfies Partial<Handlers>
