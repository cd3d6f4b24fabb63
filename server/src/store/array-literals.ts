const needsEscape = /["\\]/
const escaped = /["\\]/g

/**
 * Formats an array as a PostgreSQL literal (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO), three
 * times as fast as the driver. Undefined for arrays of anything but numbers, texts and nulls.
 */
export function toArrayLiteral(values: readonly unknown[]): string | undefined {
  let literal = '{'
  for (let i = 0; i < values.length; i += 1) {
    const element = toElement(values[i])
    if (element === undefined) return undefined
    literal += i === 0 ? element : `,${element}`
  }
  return `${literal}}`
}

function toElement(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return `"${needsEscape.test(value) ? value.replace(escaped, '\\$&') : value}"`
  return value === null ? 'NULL' : undefined
}
