import { isRecord, parseJson } from '../../../ground/lib/json.ts'

/** A JSON object of unknown content. */
export type JsonRecord = Record<string, unknown>

/** The object, or an empty one in place of anything else. */
export const objectOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** The objects in a list. */
export const objectsOf = (value: unknown): JsonRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const integerOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined

/** The object in a line of JSON, or undefined. */
export function parseRecord(line: string): JsonRecord | undefined {
  const value = parseJson(line)
  return isRecord(value) ? value : undefined
}

/** An ISO time, from ISO text or from milliseconds. */
export function isoTime(value: unknown): string {
  const ms = typeof value === 'number' ? value : Date.parse(stringOf(value))
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : ''
}
