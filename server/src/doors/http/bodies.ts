import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTask } from 'node:timers/promises'
import { promisify } from 'node:util'
import { bodyValuesMax, plainBodyBytesMax } from '@loci/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'
import { hasMoreValues } from '../../ground/lib/json-values.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Length of a JSON body; 0 if there is none, or if the handler reads it as a stream. */
    bodyBytes: number
  }
  interface FastifyContextConfig {
    /** Media types of a body that the handler reads as a stream. */
    consumes?: readonly string[]
  }
}

/**
 * Bodies are JSON. An empty body is accepted where none is needed, whatever the content type. Routes that consume
 * other types get the unread stream.
 */
export function registerBodies(app: FastifyInstance, streamTypes: readonly string[]): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const parseLarge = asLargeBody(promisify<FastifyRequest, string, unknown>(parseJson))
  app.decorateRequest('bodyBytes', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    request.bodyBytes = bytes.length
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (bytes.length === 0) done(null, undefined)
    else if (encoding !== 'identity') done(refusalOfEncoding())
    // As a text, bytes that are no UTF-8 would be replaced and stored.
    else if (!isUtf8(bytes)) done(new AppError('malformed_json', 'The body is not valid UTF-8'))
    else if (bytes.length > plainBodyBytesMax) {
      parseLarge(request, bytes).then((value) => done(null, value), done)
    } else {
      const text = bytes.toString()
      void parseJson(request, text, (error, value) => done(error && refusalOfText(text), value))
    }
  })
  app.addContentTypeParser(
    streamTypes.filter((type) => type !== 'application/json'),
    (request, payload, done) => {
      if (consumesOf(request) === undefined) done(refusalOfBody(request))
      else done(null, payload)
    },
  )
}

/**
 * Parses a large body in turns of its own: decoding, parsing and what follows each leave the thread to others. Throws
 * `validation_failed` before parsing if it has more values than any body may have, since these, not the bytes, take time.
 */
function asLargeBody(parse: (request: FastifyRequest, text: string) => Promise<unknown>) {
  return async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
    if (await hasMoreValues(bytes, bodyValuesMax)) {
      const words = `The body has more than ${bodyValuesMax.toLocaleString('en-US')} values`
      throw new AppError('validation_failed', words)
    }
    const text = bytes.toString()
    await nextTask()
    const value = await parse(request, text).catch(async () => {
      await nextTask()
      throw refusalOfText(text)
    })
    await nextTask()
    return value
  }
}

/** Makes the routes of `app`, which read streams, take JSON as a stream too. */
export function takeJsonAsStream(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload))
}

function consumesOf(request: FastifyRequest): readonly string[] | undefined {
  return request.routeOptions.config.consumes
}

/** The error that says which bodies this route accepts. */
export function refusalOfBody(request: FastifyRequest): AppError {
  const consumes = consumesOf(request)
  return consumes === undefined
    ? new AppError('not_json', 'Send JSON, with Content-Type: application/json')
    : new AppError('not_json', `Send a file, with Content-Type: ${consumes.join(' or ')}`)
}

/** Why a text was refused: it is no JSON, or has a key that could change what objects inherit. */
function refusalOfText(text: string): AppError {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return new AppError('malformed_json', 'The body is not valid JSON')
  }
  const words = 'The body must not have a key __proto__, nor a constructor with a prototype'
  return new AppError('validation_failed', words)
}

const refusalOfEncoding = () =>
  new AppError('not_json', 'Send the body uncompressed, without Content-Encoding')

export function refusalOfSize({ routeOptions: { bodyLimit = 0 } }: FastifyRequest): AppError {
  const kilobytes = bodyLimit / 1024
  const size = kilobytes < 1024 ? `${kilobytes} KiB` : `${kilobytes / 1024} MiB`
  return new AppError('body_too_large', `The body is larger than ${size}`)
}
