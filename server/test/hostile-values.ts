import fc, { type Arbitrary } from 'fast-check'

/** The part of JSON Schema that our schemas use. */
export type JsonSchema = {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
}

const stringsMax = 40

/** Values that a schema allows, or nearly: lengths stay small, formats are those of moments. */
function valuesOf(schema: JsonSchema): Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map(valuesOf))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === 'object' || schema.properties !== undefined) return objectsOf(schema)
  if (schema.type === 'array') {
    return fc.array(valuesOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 })
  }
  if (schema.type === 'string') return stringsOf(schema)
  if (schema.type === 'integer' || schema.type === 'number') {
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 1_000_000) })
  }
  if (schema.type === 'boolean') return fc.boolean()
  return fc.jsonValue({ maxDepth: 2 })
}

function objectsOf({ properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function stringsOf({
  pattern,
  format,
  minLength = 0,
  maxLength = stringsMax,
}: JsonSchema): Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  if (format?.startsWith('date') === true) return fc.constantFrom('2026-01-01', '2026-01-01T10:00:00Z')
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: stringsMax })
  const least = Math.min(minLength, stringsMax)
  return fc.string({
    unit: 'grapheme',
    minLength: least,
    maxLength: Math.max(least, Math.min(maxLength, stringsMax)),
  })
}

const nested = (depth: number, open: string, close: string) =>
  JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`) as unknown

/** Texts that have broken programs before. */
export const hostileTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table entities; --",
  '" or 1=1',
  '%',
  '_%\\',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  'x'.repeat(70_000),
  'A'.repeat(65_536),
  '"'.repeat(5_000),
  '('.repeat(5_000),
  'a AND OR NOT NEAR( * : ^ "',
  '\u202e\u200b\ufeff',
  '🧠'.repeat(600),
  'e\u0301\u0301\u0301'.repeat(300),
  '9'.repeat(400),
  '-1',
  'NaN',
  'true',
  '2026-02-30',
)

/** Any JSON value, with odd ones more likely. `JSON.parse` keeps `__proto__` as a field of its own. */
export const hostileValues: Arbitrary<unknown> = fc.oneof(
  hostileTexts,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, -0, Number.MAX_SAFE_INTEGER + 2),
  fc.constantFrom([], {}, [[]], [null], [{}]),
  fc.constant(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}')),
  fc.constant(nested(200, '[', ']')),
  fc.constant(nested(2_000, '{"a":', '}')),
  fc.constant(Array(1_500).fill('x')),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A value that a schema allows with parts replaced, added or omitted; or something entirely different. */
export function nearlyValuesOf(schema: JsonSchema): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  const names_ = names.length === 0 ? ['name'] : names
  const change = fc.record({
    name: fc.oneof(
      fc.constantFrom(...names_),
      fc.constantFrom('__proto__', 'constructor', 'id', 'accountId'),
    ),
    value: hostileValues,
  })
  return fc.oneof(
    { weight: 3, arbitrary: valuesOf(schema) },
    { weight: 5, arbitrary: fc.tuple(valuesOf(schema), fc.array(change, { maxLength: 2 })).map(withChanges) },
    { weight: 1, arbitrary: hostileValues },
  )
}

function withChanges([value, changes]: [unknown, { name: string; value: unknown }[]]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = changes.map(({ name, value }) => [name, value] as const)
  return Object.fromEntries([...Object.entries(value), ...fields])
}
