import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'

const text = z.string()
const page = z.looseObject({ cursor: text.optional() })
const resource = z.looseObject({ uri: text })

/** Required parameters of each method. Looser than the SDK's own schemas, which validate afterwards. */
const paramsOf: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  [
    'initialize',
    z.looseObject({
      protocolVersion: text,
      capabilities: z.looseObject({}),
      clientInfo: z.looseObject({ name: text, version: text }),
    }),
  ],
  ['tools/list', page],
  ['tools/call', z.looseObject({ name: text, arguments: z.record(text, z.unknown()).optional() })],
  ['resources/list', page],
  ['resources/templates/list', page],
  ['resources/read', resource],
  ['resources/subscribe', resource],
  ['resources/unsubscribe', resource],
  ['prompts/list', page],
  ['skills/list', page],
  ['skills/get', resource],
  [
    'completion/complete',
    z.looseObject({
      ref: z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('ref/prompt'), name: text }),
        z.looseObject({ type: z.literal('ref/resource'), uri: text }),
      ]),
      argument: z.looseObject({ name: text, value: text }),
    }),
  ],
  ['prompts/get', z.looseObject({ name: text, arguments: z.record(text, text).optional() })],
])

type Handler = Parameters<Server['_wrapHandler']>[1]

/**
 * The SDK's server, except that it refuses malformed parameters as "invalid params" (-32602) with a
 * readable message. The SDK itself reports most of them as an internal error (-32603).
 */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    const schema = paramsOf.get(method)
    if (schema === undefined) return wrapped
    return async (request, context) => {
      const parsed = schema.safeParse(request.params ?? {})
      if (!parsed.success) throw toInvalidParams(method, parsed.error)
      return wrapped(request, context)
    }
  }
}

function toInvalidParams(method: string, error: z.ZodError): ProtocolError {
  const issues = error.issues.map(({ path, message }) => [...path, message].join(': '))
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid parameters of ${method}. ${issues.join('. ')}`,
  )
}
