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
  let kept = redactPrivate(text, replace)
  for (const kind of secretKinds) kept = redactKind(kept, kind, replace)
  return { text: redactAnnounced(kept, replace), redacted }
}

type Part = { from: number; to: number }

/**
 * What stands between `<private>` and `</private>`, tags included; an outer part covers the parts inside it. A tag that
 * is never closed hides all that follows, unless it stands in backquotes of its own, as in a text that speaks of it.
 */
function privateParts(text: string): Part[] {
  const open: number[] = []
  const parts: Part[] = []
  const add = (part: Part) => {
    while (parts.length > 0 && (parts.at(-1) as Part).from > part.from) parts.pop()
    parts.push(part)
  }
  for (const tag of text.matchAll(/<(?<end>\/?)private\s*>/gi)) {
    if (!tag.groups?.end) {
      open.push(tag.index)
      continue
    }
    const from = open.pop()
    if (from !== undefined) add({ from, to: tag.index + tag[0].length })
  }
  const unclosed = open.find((from) => !isSpokenOf(text, from))
  if (unclosed !== undefined) add({ from: unclosed, to: text.length })
  return parts
}

const isSpokenOf = (text: string, from: number) =>
  text[from - 1] === '`' && text[text.indexOf('>', from) + 1] === '`'

/** The text without its private parts. */
function redactPrivate(text: string, replace: (kind: string) => string): string {
  let kept = ''
  let at = 0
  for (const part of privateParts(text)) {
    kept += text.slice(at, part.from) + replace('private')
    at = part.to
  }
  return kept + text.slice(at)
}
