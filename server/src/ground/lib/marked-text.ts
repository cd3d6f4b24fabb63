import { Html, html } from './html.ts'

const marks = /(\*\*[^*\n]+\*\*|`[^`\n]+`)/

/** A text with `**strong**` words and code in backticks, as people and agents write them; all else stays as it is. */
export function markedText(text: string): Html {
  const parts = text.split(marks).map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`<b>${part.slice(2, -2)}</b>`
  })
  return new Html(parts.map((part) => part.text).join(''))
}
