import { periodOf } from '@loci/contract/fact-times'

/**
 * The address bar holds plain text (`?query=42`), not the router's JSON (`?query=%2242%22`). An `asOf` that is no moment
 * is left out, so that the screen shows the present.
 */
export function parseSearch(search: string): Record<string, string> {
  const { asOf, ...params } = Object.fromEntries(new URLSearchParams(search))
  return asOf !== undefined && isMoment(asOf) ? { ...params, asOf } : params
}

const dayLength = '2026-02-10'.length

/** The number of a change, a day or a time, as the server reads them. */
const isMoment = (text: string): boolean =>
  /^\d{1,15}$/.test(text) || (text.length >= dayLength && periodOf(text) !== undefined)

/** Omits undefined and empty values, so that a cleared filter leaves no trace. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  // Commas are legal in a query string, and lists read better with them.
  return params.size === 0 ? '' : `?${String(params).replaceAll('%2C', ',')}`
}

/** Encodes a list as one parameter, whatever its items contain; undefined if empty. */
export function toListParam(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : items.map(encodeURIComponent).join(',')
}

/** Decodes a list parameter, without duplicates. */
export function fromListParam(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(',').filter(Boolean).map(decoded))]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads the named text parameters of the address; empty ones are undefined. */
export function textParams<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [K in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return value === undefined || value === '' ? [] : [[name, String(value)]]
      }),
    ) as { [K in Name]?: string }
}

/** An integer parameter within bounds; the fallback for anything else. */
export function integerParam(
  search: Record<string, unknown>,
  name: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  const value = Number(search[name] ?? Number.NaN)
  return Number.isInteger(value) && value >= min && value <= max ? value : fallback
}
