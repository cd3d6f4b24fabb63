/** Longer texts are shown as plain text: parsing them would block the page. */
export const parsedCharsMax = 20_000

const signs = /[*_`#[\]|~<\\]|^\s*(?:[-+>]|\d+[.)])\s|^(?: {4}|\t)|\n|https?:|www\.|@/m

/** Whether a text may contain Markdown or a link; if not, it needs no parsing. */
export const hasMarkup = (text: string): boolean => signs.test(text)

/** A link's address if it is safe to follow: http, https or mailto. */
export function safeHref(href: string): string | undefined {
  try {
    const url = new URL(href)
    return /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
