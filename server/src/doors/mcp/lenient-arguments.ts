import { bodyValuesMax } from '@loci/contract/endpoint'
import { isRecord, parseJson } from '../../ground/lib/json.ts'
import { textHasMoreValues } from '../../ground/lib/json-values.ts'
import { inItsList, type Schema, withNames } from './argument-names.ts'

/**
 * Converts arguments as models write them to the form that the schema requires: `"5"` for 5, `"true"`
 * for true, a single item for a list of one, a list or object as JSON text, null for an optional field, other names.
 * Any other mismatch is left for the schema to refuse.
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
    return isRecord(read) && fits(read, items) ? [toExpectedForm(read, items)] : value
  }
  return isRecord(value) && items.type === 'object' ? [toExpectedForm(value, items)] : value
}

/**
 * Whether an item read from a text has the item type of the list; a text in brackets is not always a
 * list.
 */
const fits = (item: unknown, { type }: Schema) => (type === 'object' ? isRecord(item) : typeof item === type)

function toObject(given: unknown, schema: Schema): unknown {
  const { properties = {}, required = [] } = schema
  const value = typeof given === 'string' ? (readJson(given) ?? given) : given
  if (!isRecord(value)) return given
  const entries = Object.entries(withNames(inItsList(value, schema), schema)).flatMap(
    ([key, inner]): [string, unknown][] => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (schema === undefined) return [[key, inner]]
      if (inner === null && !required.includes(key)) return []
      return [[key, toExpectedForm(inner, schema)]]
    },
  )
  return Object.fromEntries(entries)
}

const jsonOfMany = /^\s*[[{]/

/** Parses a list or object from a text; undefined if the text is neither, or has more values than a body may have. */
function readJson(text: string): unknown {
  if (!jsonOfMany.test(text) || textHasMoreValues(text, bodyValuesMax)) return undefined
  return parseJson(text)
}
