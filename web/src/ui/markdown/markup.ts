/** Longer texts are shown as they are: reading them would hold up the page. */
export const parsedCharsMax = 20_000

const signs = /[*_`#[\]|~<\\]|^\s*(?:[-+>]|\d+[.)])\s|^(?: {4}|\t)|\n|https?:|www\.|@/m

/** Whether a text may have Markdown or a link in it; without, nothing needs to be read. */
export const hasMarkup = (text: string): boolean => signs.test(text)

/** The address of a link if it may be followed from here: of the web, or mail. */
export function safeHref(href: string): string | undefined {
  try {
    const url = new URL(href)
    return /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
