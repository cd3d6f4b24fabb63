import { z } from 'zod'
import { isStorableText } from './text.ts'

/** Largest metadata, in UTF-8 bytes of its JSON. */
export const metadataBytesMax = 64 * 1024
/** Deepest nesting of metadata. */
export const metadataDepthMax = 64

/** Free-form JSON object on an entity or observation; null and arrays are rejected. */
export const Metadata = z
  .record(z.string(), z.unknown(), { error: 'Metadata must be a JSON object' })
  .superRefine((value, issues) => {
    const problem = problemOfMetadata(value)
    if (problem !== undefined) issues.addIssue({ code: 'custom', message: problem })
  })
export type Metadata = z.infer<typeof Metadata>

function problemOfMetadata(root: unknown): string | undefined {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > metadataDepthMax) return `Metadata must not be nested deeper than ${metadataDepthMax} levels`
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string' && !isStorableText(value)) {
        return 'Metadata must not contain NUL characters or unpaired surrogates'
      }
      // JSON has no way to write it back.
      if (value === Infinity || value === -Infinity) return 'Metadata must not contain numbers above 1.8e308'
      if (typeof value !== 'object' || value === null) continue
      for (const [key, inner] of Object.entries(value)) {
        if (!isStorableText(key)) return 'Metadata must not contain NUL characters or unpaired surrogates'
        next.push(inner)
      }
    }
    level = next
  }
  const bytes = new TextEncoder().encode(JSON.stringify(root)).length
  return bytes > metadataBytesMax
    ? `Metadata must be at most ${metadataBytesMax / 1024} KiB of JSON`
    : undefined
}
