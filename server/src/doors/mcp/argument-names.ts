import { ObservationObject } from '@loci/contract/observations'
import { isRecord } from '../../ground/lib/json.ts'

/** The part of a published input schema that describes a value. */
export type Schema = {
  type?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** Other names that models write for required arguments. */
const otherNames: Record<string, readonly string[]> = {
  name: ['entityName', 'entity'],
  entityName: ['entity', 'name'],
  entityType: ['type'],
  entityNames: ['names', 'entities', 'name', 'entityName'],
  names: ['entityNames', 'entities', 'name', 'entityName'],
  contents: ['observations', 'content', 'observation', 'facts', 'texts'],
  observations: ['contents', 'content', 'observation', 'facts', 'texts', 'ids'],
  observation: ['id', 'observationId'],
  from: ['source', 'fromEntity'],
  to: ['target', 'toEntity'],
  relationType: ['type', 'relation'],
  query: ['question', 'text', 'q'],
}

type Values = Record<string, unknown>

/** The values with required arguments that are absent taken from other names, and `max_tokens` from `maxTokens`. */
export function withNames(value: Values, { properties = {}, required = [] }: Schema): Values {
  const named = new Map(Object.entries(value))
  for (const key of Object.keys(properties)) {
    if (named.has(key)) continue
    const others = [toSnakeCase(key), ...(required.includes(key) ? (otherNames[key] ?? []) : [])]
    const given = others.find((other) => named.has(other) && !Object.hasOwn(properties, other))
    if (given === undefined) continue
    named.set(key, named.get(given))
    named.delete(given)
  }
  return Object.fromEntries(named)
}

const toSnakeCase = (key: string) => key.replace(/\p{Lu}/gu, (letter) => `_${letter.toLowerCase()}`)

/** A single item without the list that the schema requires, in that list. */
export function inItsList(value: Values, { properties = {}, required = [] }: Schema): Values {
  const [list, ...others] = required
  const items = list === undefined ? undefined : properties[list]?.items
  if (list === undefined || others.length > 0 || items?.type !== 'object' || hasItems(value[list]))
    return value
  const item = withNames(value, items)
  return items.required?.every((key) => Object.hasOwn(item, key)) === true ? { [list]: [item] } : value
}

const looksLikeItems = /^\s*[[{]/
const hasItems = (given: unknown): boolean =>
  Array.isArray(given)
    ? given.length === 0 || given.some(isRecord)
    : isRecord(given) || (typeof given === 'string' && looksLikeItems.test(given))

const factFields = new Set(Object.keys(ObservationObject.shape))
const toldMax = 5
const charactersMax = 50

/**
 * A sentence about fields of facts that have no such name and are not used, and with `withArguments` about arguments;
 * undefined if there are none.
 */
export function noteOfIgnored(
  tool: string,
  args: unknown,
  schema: Schema,
  { withArguments = false },
): string | undefined {
  const found = { names: new Set<string>(), ofFacts: new Set<string>() }
  collectUnknown(args, schema, found)
  const ofArguments =
    withArguments && found.names.size > 0
      ? [`Ignored: ${list(found.names)}. ${tool} takes ${Object.keys(schema.properties ?? {}).join(', ')}.`]
      : []
  const ofFacts =
    found.ofFacts.size > 0
      ? [`Ignored: ${list(found.ofFacts)}. A fact can have ${[...factFields].join(', ')}.`]
      : []
  return [...ofArguments, ...ofFacts].join(' ') || undefined
}

/** Facts are published as texts. */
function collectUnknown(
  value: unknown,
  { type, items, properties }: Schema,
  found: { names: Set<string>; ofFacts: Set<string> },
): void {
  if (Array.isArray(value) && items !== undefined)
    for (const item of value) collectUnknown(item, items, found)
  if (!isRecord(value)) return
  if (type === 'string') addUnknown(value, (key) => factFields.has(key), found.ofFacts)
  if (properties === undefined) return
  addUnknown(value, (key) => Object.hasOwn(properties, key), found.names)
  for (const [key, schema] of Object.entries(properties))
    if (Object.hasOwn(value, key)) collectUnknown(value[key], schema, found)
}

/** No more than are told: a body can have a hundred thousand. */
function addUnknown(value: Values, isKnown: (key: string) => boolean, unknown: Set<string>): void {
  for (const key in value) {
    if (unknown.size === toldMax) return
    if (!isKnown(key)) unknown.add(key)
  }
}

const list = (names: ReadonlySet<string>) =>
  [...names].map((name) => JSON.stringify(name.slice(0, charactersMax))).join(', ')
