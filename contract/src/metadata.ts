import { z } from 'zod'
import { checkedFirst } from './checked-first.ts'
import { isStorableText } from './text.ts'

/** Largest metadata, in UTF-8 bytes of its JSON. */
export const metadataBytesMax = 64 * 1024
/** Deepest nesting of metadata. */
export const metadataDepthMax = 64

/** Free-form JSON object on an entity or observation; null and arrays are rejected. */
export const Metadata = checkedFirst(
  z.record(z.string(), z.unknown(), { error: 'Metadata must be a JSON object' }),
  problemOfMetadata,
)
export type Metadata = z.infer<typeof Metadata>

const tooLarge = `Metadata must be at most ${metadataBytesMax / 1024} KiB of JSON`
const unstorable = 'Metadata must not contain NUL characters or unpaired surrogates'

/** Stops at the bounds, however large the value is: each value takes a byte at least, each character too. */
function problemOfMetadata(root: unknown): string | undefined {
  let room = metadataBytesMax
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > metadataDepthMax) return `Metadata must not be nested deeper than ${metadataDepthMax} levels`
    const next: unknown[] = []
    for (const value of level) {
      room -= typeof value === 'string' ? value.length + 1 : 1
      if (room < 0) return tooLarge
      if (typeof value === 'string' && !isStorableText(value)) return unstorable
      // JSON has no way to write it back.
      if (value === Infinity || value === -Infinity) return 'Metadata must not contain numbers above 1.8e308'
      if (typeof value !== 'object' || value === null) continue
      const keys = Array.isArray(value) ? [] : Object.keys(value)
      if (keys.length > room || (Array.isArray(value) && value.length > room)) return tooLarge
      for (const key of keys) {
        room -= key.length
        if (room < 0) return tooLarge
        if (!isStorableText(key)) return unstorable
      }
      for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
  const bytes = new TextEncoder().encode(JSON.stringify(root)).length
  return bytes > metadataBytesMax ? tooLarge : undefined
}
