// A program: our framework with routes that send fixed bytes, which standard input defines as JSON.
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'

export type BareRoute = { method: 'GET' | 'POST'; path: string; status: number; body: string }

const routes: BareRoute[] = JSON.parse(await text(process.stdin))
const app = Fastify()
for (const { method, path, status, body } of routes) {
  app.route({
    method,
    url: path,
    handler: (_request, reply) => reply.code(status).type('application/json; charset=utf-8').send(body),
  })
}
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
