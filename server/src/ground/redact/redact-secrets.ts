import { redactPrivate } from './private-parts.ts'
import { type SecretKind, secretKinds } from './secret-kinds.ts'
import { redactAnnounced } from './secret-words.ts'

export type Redacted = { text: string; redacted: number }

type Replace = (kind: string) => string

function redactKind(text: string, { kind, holds, pattern }: SecretKind, replace: Replace): string {
  return text.includes(holds) ? text.replace(pattern, () => replace(kind)) : text
}

/**
 * The text without secrets, each replaced by `[redacted: KIND]`, and without what stands between `<private>` and
 * `</private>`, or after a `<private>` that is never closed. Takes time in proportion to the text. `redacted` counts what
 * was removed.
 */
export function redactSecrets(text: string): Redacted {
  let redacted = 0
  const replace: Replace = (kind) => {
    redacted++
    return `[redacted: ${kind}]`
  }
  let kept = text.includes('rivate>') || text.includes('RIVATE>') ? redactPrivate(text, replace) : text
  for (const kind of secretKinds) kept = redactKind(kept, kind, replace)
  return { text: redactAnnounced(kept, replace), redacted }
}
