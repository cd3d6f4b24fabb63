import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { buildOpenApi } from '../src/doors/http/openapi.ts'

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> }

const document = buildOpenApi('test') as {
  paths: Record<string, Record<string, Operation>>
  components: object
}
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

/** `fetch` that fails a test whose response does not match the OpenAPI document. */
export async function checkedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init)
  const { pathname } = new URL(String(input))
  const path = pathOf(init?.method ?? 'GET', pathname)
  if (path !== undefined) await check(path, (init?.method ?? 'GET').toLowerCase(), response.clone())
  return response
}

const routes = Object.values<Endpoint>(api)
  .map(({ method, path }) => ({
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

function pathOf(method: string, pathname: string): string | undefined {
  return routes.find((route) => route.method === method && route.pattern.test(pathname))?.path
}

async function check(path: string, method: string, response: Response): Promise<void> {
  const responses = document.paths[path]?.[method]?.responses ?? {}
  const described = responses[response.status] ?? (response.status >= 400 ? responses.default : undefined)
  const name = `${method} ${path} ${response.status}`
  if (described === undefined) throw new Error(`${name} is not in the OpenAPI document`)
  const text = await response.text()
  const schema = described.content?.['application/json']?.schema
  if (schema === undefined) {
    if (described.content === undefined && text !== '')
      throw new Error(`${name} has a body and should have none`)
    return
  }
  const validate = validators.get(name) ?? ajv.compile({ ...schema, components: document.components })
  validators.set(name, validate)
  if (!validate(JSON.parse(text)))
    throw new Error(`${name}: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 500)}`)
}
