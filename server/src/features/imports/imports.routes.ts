import { Readable } from 'node:stream'
import { type ImportQuery, importDirectBytesMax, jsonLinesTypes } from '@loci/contract/imports'
import type { Right } from '@loci/contract/rights'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { refusalOfBody } from '../../doors/http/bodies.ts'
import type { Handlers } from '../../doors/http/routes.ts'
import { watchCall } from '../../doors/http/while-valid.ts'
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
    import: async (call) => {
      const { request, reply } = call
      const { report, end, isLarge } = await receive(imports, call)
      if (!isLarge && !prefersAsync(request.headers.prefer)) return { import: await end }
      end.catch((error) => request.log.error({ err: error, import: report.id }, 'import failed'))
      reply.code(202)
      return { import: report }
    },
    previewImport: async (call) => ({
      preview: await withFile(imports, call, 'memory:write', previewImport),
    }),
    importConversations: (call) => withFile(imports, call, 'conversations:write', importConversations),
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
  call: Call,
  right: Right,
  work: (ctx: Context, actor: Actor, file: OpenImport, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { ctx, actor } = call
  const { signal, leave } = enter(imports, call, right)
  try {
    return await work(ctx, actor, await open(call), signal)
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

async function open({ ctx, actor: { accountId }, request, query }: Call): Promise<OpenImport> {
  if (!(request.body instanceof Readable)) throw refusalOfBody(request)
  const told = toldOf(request, query)
  const unpackedBytesMax = () => unpackedBytesMaxOf(ctx, accountId)
  return openReceived(ctx, await spool(ctx, request.body), { ...told, unpackedBytesMax })
}

/** Takes a slot for an import, whose signal is aborted when the caller's credentials end. */
function enter(imports: ImportRunner, call: Call, right: Right): { signal: AbortSignal; leave: () => void } {
  const free = imports.enter(call.actor.accountId)
  const ended = new AbortController()
  const unwatch = watchCall(call, right, (error) => ended.abort(error))
  const leave = () => {
    unwatch()
    free()
  }
  return { signal: ended.signal, leave }
}

const isJsonLines = (type = '') => jsonLinesTypes.some((known) => type.toLowerCase().startsWith(known))

/** A name for a file sent without one. */
function nameOfType(type = ''): string {
  if (/^text\/(?:markdown|plain)/i.test(type)) return type.includes('markdown') ? 'Notes.md' : 'Notes.txt'
  return 'file'
}

async function receive(imports: ImportRunner, call: Call) {
  const { ctx, actor } = call
  const { signal, leave } = enter(imports, call, 'memory:write')
  try {
    const file = await open(call)
    const { report, end } = await imports.start(ctx, actor, file, signal)
    return { report, end: end.finally(leave), isLarge: file.bytes > importDirectBytesMax }
  } catch (error) {
    leave()
    throw error
  }
}
