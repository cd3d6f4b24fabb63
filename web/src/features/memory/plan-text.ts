/** Width of a letter of a plan's text, in pixels. */
export const letterWidth = 7

export const shorten = (text: string, letters: number): string =>
  text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`
