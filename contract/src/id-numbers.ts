const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const prefixLength = 4

/** The id of a number: `ent_3rj0`, the number in Crockford's base 32. */
export function idOf(prefix: 'ent' | 'rel', number: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return `${prefix}_${text}`
}

/** The number in an id that the server made. */
export function idNumber(id: string): number {
  let number = 0
  for (let i = prefixLength; i < id.length; i++) number = number * 32 + alphabet.indexOf(id[i]!)
  return number
}
