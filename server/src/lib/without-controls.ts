/** Texts of strangers must not steer the terminal. In JSON the escapes mean what they stand for. */
export const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, escapeOf)

const escapeOf = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
