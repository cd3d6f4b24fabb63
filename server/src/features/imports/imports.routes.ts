import { Readable } from 'node:stream'
import { type ImportQuery, importDirectBytesMax, jsonLinesTypes } from '@loci/contract/imports'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { refusalOfBody } from '../../doors/http/bodies.ts'
import type { Handlers } from '../../doors/http/routes.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { importConversations } from './import-conversations.ts'
import type { ImportRunner } from './import-runner.ts'
import { getImport } from './imports.service.ts'
import { type OpenImport, openReceived, unpackedBytesMaxOf } from './open-import.ts'
import { spool } from './open-import-file.ts'
import { previewImport } from './preview-import.ts'

/**
 * Small files are imported before the response. Large ones continue after it, as do all if the client prefers that (RFC
 * 7240, `respond-async`); `getImport` returns their progress.
 */
export function importRoutes(imports: ImportRunner) {
  return {
    import: async ({ ctx, actor, query, request, reply }) => {
      if (!(request.body instanceof Readable)) throw refusalOfBody(request)
      const told = toldOf(request, query)
      const { report, end, isLarge } = await receive(imports, ctx, actor, request.body, told)
      if (!isLarge && !prefersAsync(request.headers.prefer)) return { import: await end }
      end.catch((error) => request.log.error({ err: error, import: report.id }, 'import failed'))
      reply.code(202)
      return { import: report }
    },
    previewImport: async (call) => ({ preview: await withFile(imports, call, previewImport) }),
    importConversations: (call) => withFile(imports, call, importConversations),
    getImport: async ({ ctx, actor, params }) => ({ import: await getImport(ctx, actor, params.id) }),
  } satisfies Partial<Handlers>
}

type Call = {
  ctx: Context
  actor: Actor
  request: FastifyRequest
  query: z.output<typeof ImportQuery>
}

/** Does what is answered at its end with a received file. */
async function withFile<T>(
  imports: ImportRunner,
  { ctx, actor, request, query }: Call,
  work: (ctx: Context, actor: Actor, file: OpenImport) => Promise<T>,
): Promise<T> {
  if (!(request.body instanceof Readable)) throw refusalOfBody(request)
  const leave = imports.enter(actor.accountId)
  try {
    const told = withBound(ctx, actor, toldOf(request, query))
    return await work(ctx, actor, await openReceived(ctx, await spool(ctx, request.body), told))
  } finally {
    leave()
  }
}

function prefersAsync(prefer: string | string[] | undefined): boolean {
  return [prefer].flat().some((value) => value?.includes('respond-async'))
}

/** The sender's description of a file. */
type Told = { name: string; areLines: boolean }

function toldOf({ headers }: FastifyRequest, { fileName }: z.output<typeof ImportQuery>): Told {
  const type = headers['content-type']
  return { name: fileName ?? nameOfType(type), areLines: isJsonLines(type) }
}

const withBound = (ctx: Context, { accountId }: Actor, told: Told) => ({
  ...told,
  unpackedBytesMax: () => unpackedBytesMaxOf(ctx, accountId),
})

const isJsonLines = (type = '') => jsonLinesTypes.some((known) => type.toLowerCase().startsWith(known))

/** A name for a file sent without one. */
function nameOfType(type = ''): string {
  if (/^text\/(?:markdown|plain)/i.test(type)) return type.includes('markdown') ? 'Notes.md' : 'Notes.txt'
  return 'file'
}

async function receive(imports: ImportRunner, ctx: Context, actor: Actor, body: Readable, told: Told) {
  const leave = imports.enter(actor.accountId)
  try {
    const file = await openReceived(ctx, await spool(ctx, body), withBound(ctx, actor, told))
    const { report, end } = await imports.start(ctx, actor, file)
    return { report, end: end.finally(leave), isLarge: file.bytes > importDirectBytesMax }
  } catch (error) {
    leave()
    throw error
  }
}
