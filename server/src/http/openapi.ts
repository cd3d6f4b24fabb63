import { type Api, api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { ErrorBody } from '@loci/contract/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { version } from '../version.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1 of the whole contract, made of the schemas that validate. */
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
    tags: [endpoint.tag],
    ...(endpoint.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint.query)],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(toJsonSchema(endpoint.body, 'input')) } }),
    responses: {
      [endpoint.status]: {
        description: 'Success',
        ...(endpoint.response === undefined
          ? {}
          : { content: jsonContent(toJsonSchema(endpoint.response, 'output')) }),
      },
      default: {
        description: 'Refused or failed',
        content: jsonContent({ $ref: '#/components/schemas/Error' }),
      },
    },
  }
}

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

/** Serves the document; built once. */
export function registerOpenApi(app: FastifyInstance): void {
  const document = JSON.stringify(buildOpenApi(version))
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json').send(document))
}
