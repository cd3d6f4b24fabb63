import { bodyBytesMax, bodyValuesMax } from '@loci/contract/endpoint'
import { metadataBytesMax } from '@loci/contract/metadata'
import type { JsonSchema } from '../hostile-values.ts'

/** Many different words: `length` characters that look like names, dates and identifiers. */
export function uglyText(length: number, seed = 0): string {
  const words: string[] = []
  for (let i = seed, size = 0; size < length; i++) {
    const word = `${syllables[i % 13]}${syllables[(i * 7) % 11]}${i.toString(36)}${i % 9 === 0 ? '-v2.3' : ''}`
    words.push(word)
    size += word.length + 1
  }
  return words.join(' ').slice(0, length)
}

const syllables = ['ka', 'Ro', 'mi', 'lun', 'schä', 'qué', 'tra', 'ops', 'Zed', 'ni', 'bal', 'Ur', 'ξe']

/** Ideographs without a break, which are one chunk of text. */
export const unspacedText = (length: number, seed = 0) =>
  String.fromCharCode(...Array.from({ length }, (_, i) => 0x4e00 + ((i * i + seed * 7) % 2_003)))

/** The largest metadata with the most values. */
export const uglyMetadata = (length = 60_000) => ({ a: Array(Math.floor(length / 2)).fill(1) })

/** The largest value that a schema allows, so far as its lists and texts go. */
export function worstOf(schema: JsonSchema & { maxItems?: number }): unknown {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return worstOf(choices.findLast(({ type }) => type === 'object') ?? choices[0]!)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, worstOf(inner)]))
  }
  if (schema.type === 'object') return uglyMetadata()
  if (schema.type === 'array') {
    const item = worstOf(schema.items ?? {})
    // A body of many such items is as large as it may be.
    const fitting = Math.floor(bodyBytesMax / 4 / JSON.stringify(item).length)
    return Array(Math.min(schema.maxItems ?? 1_000, fitting)).fill(item)
  }
  if (schema.type === 'string') return textOf(schema)
  if (schema.type === 'boolean') return true
  return schema.maximum ?? schema.minimum ?? 1
}

/** Bytes of the largest body that a schema allows. Texts and lists without a bound have only that of the body. */
export function largestOf(schema: JsonSchema & { maxItems?: number }): number {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return Math.max(...choices.map(largestOf))
  if (schema.properties !== undefined) {
    const sizes = Object.entries(schema.properties).map(([key, inner]) => key.length + 4 + largestOf(inner))
    return sizes.reduce((sum, size) => sum + size, 2)
  }
  if (schema.type === 'object') return metadataBytesMax
  if (schema.type === 'array') return 2 + (schema.maxItems ?? 1) * (1 + largestOf(schema.items ?? {}))
  if (schema.type !== 'string' || schema.enum !== undefined || schema.const !== undefined) return 64
  if (schema.format !== undefined || schema.pattern !== undefined) return 320
  // A character has up to three bytes of UTF-8.
  return 2 + 3 * (schema.maxLength ?? 0)
}

function textOf({ format, maxLength = 10_000 }: JsonSchema): string {
  if (format === 'email') return 'someone@example.com'
  if (format?.startsWith('date') === true) return '2026-01-01'
  return uglyText(Math.min(maxLength, 65_536))
}

const sized = (before: string, unit: string, after: string, bytes = bodyBytesMax - 1_000) =>
  Buffer.from(before + unit.repeat(Math.floor((bytes - before.length - after.length) / unit.length)) + after)

const manyKeys = (count: number) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i.toString(36)}":0`).join(',')}}`

/** Bodies of the largest sizes that are refused, in the places of an entity, a batch or a list. */
export const refusedBodies: Record<string, Buffer> = {
  'numbers in metadata': sized('{"name":"x","type":"y","metadata":{"a":[', '1,', '1]}}'),
  'empty entities': sized('{"entities":[', '{},', '{}]}'),
  'keys as many as a body may have': Buffer.from(
    `{"name":"x","type":"y","metadata":${manyKeys(bodyValuesMax - 10)}}`,
  ),
  'items as many as a body may have': Buffer.from(
    `{"name":"x","type":"y","ids":[1],"observations":[${'1,'.repeat(bodyValuesMax - 10)}1]}`,
  ),
  'bad items': Buffer.from(
    `{"name":"x","type":"y","observations":[${Array(1_000).fill('{"content":1,"metadata":[]}').join(',')}]}`,
  ),
  nesting: Buffer.from(`{"name":"x","type":"y","metadata":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`),
  'a long name': sized('{"type":"y","name":"', '\\n\\u00e9', '"}'),
  'no end': sized('{"name":"', 'a', ''),
}
