/** The part of a published input schema that says what a value may be. */
export type Schema = {
  type?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/**
 * Arguments as models write them, in the form that the schema asks for: `"5"` for 5, `"true"` for true, one item for a
 * list of one, a list or an object as JSON text, null for what may be left out. Whatever else does not fit stays as it
 * is, for the schema to refuse.
 */
export function toExpectedForm(value: unknown, schema: Schema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return toNumber(value)
    case 'boolean':
      return toBoolean(value)
    case 'array':
      return toList(value, schema.items ?? {})
    case 'object':
      return toObject(value, schema)
    default:
      return value
  }
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : value
}

function toList(value: unknown, items: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => toExpectedForm(item, items))
  if (typeof value === 'string') {
    const read = readJson(value)
    if (Array.isArray(read) && read.every((item) => fits(item, items))) {
      return read.map((item) => toExpectedForm(item, items))
    }
    if (items.type === 'string') return [value]
    return isObject(read) && fits(read, items) ? [toExpectedForm(read, items)] : value
  }
  return isObject(value) && items.type === 'object' ? [toExpectedForm(value, items)] : value
}

/** Whether an item read from a text is of the kind that the list holds; a text in brackets is not always a list. */
const fits = (item: unknown, { type }: Schema) => (type === 'object' ? isObject(item) : typeof item === type)

function toObject(given: unknown, { properties = {}, required = [] }: Schema): unknown {
  const value = typeof given === 'string' ? (readJson(given) ?? given) : given
  if (!isObject(value)) return given
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (schema === undefined) return [[key, inner]]
    if (inner === null && !required.includes(key)) return []
    return [[key, toExpectedForm(inner, schema)]]
  })
  return Object.fromEntries(entries)
}

const jsonOfMany = /^\s*[[{]/

/** The list or object in a text, if it is one. */
function readJson(text: string): unknown {
  if (!jsonOfMany.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
