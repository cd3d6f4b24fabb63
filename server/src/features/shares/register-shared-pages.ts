import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicAddress } from '../../ground/config/config.ts'
import type { Context } from '../../tenancy/context.ts'
import { drawPreview } from './draw-preview.ts'
import { readShared } from './read-shared.ts'
import { sendNoLongerShared, sendSharedPage } from './shared-page.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

/** Serves shared pages to anybody who has their address, and their preview pictures. */
export function registerSharedPages(app: FastifyInstance, ctx: Context): void {
  app.get('/shared/:token', async (request: Request, reply) => {
    const page = await readShared(ctx, request.params.token)
    if (page === undefined) return sendNoLongerShared(reply)
    const address = `${publicAddress(ctx.config)}/shared/${request.params.token}`
    return sendSharedPage(reply, page, `${address}/picture.png`)
  })
  app.get('/shared/:token/picture.png', async (request: Request, reply) => {
    const page = await readShared(ctx, request.params.token)
    if (page === undefined) return sendNoLongerShared(reply)
    return reply
      .headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
      .type('image/png')
      .send(drawPreview(page))
  })
  app.get('/shared/*', (_request, reply) => sendNoLongerShared(reply))
}
