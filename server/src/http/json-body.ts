import type { FastifyInstance } from 'fastify'

/** Bodies are JSON and nothing else; none at all is fine where none is needed, whatever the content type says. */
export function registerJsonBody(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}
