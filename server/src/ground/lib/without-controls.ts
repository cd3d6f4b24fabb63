/**
 * Escapes control characters, so that untrusted text cannot control the terminal. In JSON the escapes keep their
 * meaning.
 */
export const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, escapeOf)

const escapeOf = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
