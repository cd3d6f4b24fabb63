import { createHash } from 'node:crypto'

/** Markup that is safe to send; created only by {@link html}. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

/** Markup with every value escaped; `Html` and lists of it are inserted unchanged. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(toText)))
}

function toText(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map((item) => item.text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The source expression of a style or script for a Content-Security-Policy. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
