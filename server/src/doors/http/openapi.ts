import { type Api, api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { ErrorBody } from '@loci/contract/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { version } from '../../ground/version.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1 of the whole contract, built from the schemas that validate. */
export function buildOpenApi(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [id, endpoint] of Object.entries<Endpoint>(api)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(id as keyof Api, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loci',
      version,
      description: 'Persistent memory for AI agents: a knowledge graph over REST, MCP and WebSocket.',
    },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A session token or an API key' },
      },
      schemas: { Error: toJsonSchema(ErrorBody, 'output') },
    },
  }
}

function toOperation(operationId: string, endpoint: Endpoint): Json {
  return {
    operationId,
    summary: endpoint.summary,
    ...(endpoint.restriction && { description: `Restricted: ${endpoint.restriction}.` }),
    tags: [endpoint.tag],
    ...(endpoint.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint.query)],
    ...requestBody(endpoint),
    responses: {
      [endpoint.status]: {
        description: 'Success',
        ...successContent(endpoint),
      },
      ...(endpoint.statusOfUnfinished === undefined
        ? {}
        : { [endpoint.statusOfUnfinished]: { description: 'Under way', ...successContent(endpoint) } }),
      default: {
        description: 'Refused or failed',
        content: jsonContent({ $ref: '#/components/schemas/Error' }),
      },
    },
  }
}

function requestBody({ body, consumes }: Endpoint): Json {
  if (consumes !== undefined) return { requestBody: { required: true, content: streamContent(consumes) } }
  if (body === undefined) return {}
  return { requestBody: { required: true, content: jsonContent(toJsonSchema(body, 'input')) } }
}

function successContent({ response, produces, producesToo = [] }: Endpoint): Json {
  if (produces !== undefined) return { content: streamContent([produces, ...producesToo]) }
  return response === undefined ? {} : { content: jsonContent(toJsonSchema(response, 'output')) }
}

const streamContent = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))

const jsonContent = (schema: Json) => ({ 'application/json': { schema } })

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: z.ZodObject | undefined): Json[] {
  if (query === undefined) return []
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: toJsonSchema(schema as z.ZodType, 'input'),
  }))
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return json
}

/** Serves the document, which is built at the first request. */
export function registerOpenApi(app: FastifyInstance): void {
  let document: string | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi(version))
    return reply.header('cache-control', 'no-cache').type('application/json').send(document)
  })
}
