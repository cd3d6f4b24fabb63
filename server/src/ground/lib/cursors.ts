import { AppError } from '../errors/app-error.ts'

/**
 * Where a list continues: the sort key of its last row and the row's own number. Opaque to callers. `group`: the one that
 * the row is in, for lists by a name; null without one.
 */
export type Cursor = { at: number; id: number; group?: string | null }

/** Encodes a cursor as the text that callers send back. */
export function encodeCursor({ at, id, group }: Cursor): string {
  return Buffer.from(JSON.stringify(group === undefined ? [at, id] : [at, id, group])).toString('base64url')
}

/** Decodes a caller's cursor; undefined stays undefined. Throws `invalid_cursor`. */
export function decodeCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const value = parse(Buffer.from(text, 'base64url').toString())
  if (Array.isArray(value) && Number.isSafeInteger(value[0]) && Number.isSafeInteger(value[1])) {
    return { at: value[0], id: value[1], ...(isGroup(value[2]) && { group: value[2] }) }
  }
  throw invalidCursor()
}

export const invalidCursor = () =>
  new AppError('invalid_cursor', 'This cursor does not belong to this list. Start again without it.')

const isGroup = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'))

/** The same for lists whose sort key may be text. */
export type SortCursor = { at: number | string; id: number }

export const encodeSortCursor = ({ at, id }: SortCursor): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url')

/** Throws `invalid_cursor`, also if the key has another type than the list's. */
export function decodeSortCursor(
  text: string | undefined,
  kind: 'number' | 'string',
): SortCursor | undefined {
  if (text === undefined) return undefined
  const value = parse(Buffer.from(text, 'base64url').toString())
  if (Array.isArray(value) && typeof value[0] === kind && Number.isSafeInteger(value[1])) {
    return { at: value[0], id: value[1] }
  }
  throw invalidCursor()
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The cursor after the last row that was shown, if some of a page's rows did not fit into the answer. */
export function cutAfter<T>(
  rows: readonly T[],
  shown: readonly unknown[],
  keyOf: (row: T) => SortCursor,
): string | undefined {
  const last = shown.length < rows.length ? rows[shown.length - 1] : undefined
  return last === undefined ? undefined : encodeSortCursor(keyOf(last))
}

/** Splits `limit + 1` rows into a page and the cursor of the next one. */
export function toPage<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => Cursor,
): { rows: T[]; nextCursor: string | null } {
  if (rows.length <= limit) return { rows, nextCursor: null }
  const page = rows.slice(0, limit)
  return { rows: page, nextCursor: encodeCursor(keyOf(page[limit - 1]!)) }
}
