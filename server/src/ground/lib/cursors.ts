import { isStorableText } from '@loci/contract/text'
import { AppError } from '../errors/app-error.ts'
import { parseJson } from './json.ts'

/**
 * Where a list continues: the sort key of its last row and the row's own number. Opaque to callers. `group`: the one that
 * the row is in, for lists by a name; null without one.
 */
export type Cursor<Key = number> = { at: Key; id: number; group?: string | null }

/** Encodes a cursor as the text that callers send back. It names its list, and no other list accepts it. */
export function encodeCursor(list: string, { at, id, group }: Cursor<number | string>): string {
  const parts = group === undefined ? [list, at, id] : [list, at, id, group]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Decodes a caller's cursor of a list; undefined stays undefined. Throws `invalid_cursor`. */
export const decodeCursor = (list: string, text: string | undefined): Cursor | undefined =>
  decode(list, text, (at) => Number.isSafeInteger(at))

/** The same for lists sorted by text. */
export const decodeTextCursor = (list: string, text: string | undefined): Cursor<string> | undefined =>
  decode(list, text, isStorable)

function decode<Key>(
  list: string,
  text: string | undefined,
  isKey: (value: unknown) => boolean,
): Cursor<Key> | undefined {
  if (text === undefined) return undefined
  const value = parseJson(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(value)) throw invalidCursor()
  const [name, at, id, group] = value
  if (name !== list || !isKey(at) || !Number.isSafeInteger(id)) throw invalidCursor()
  return { at, id, ...((group === null || isStorable(group)) && { group }) }
}

export const invalidCursor = () =>
  new AppError('invalid_cursor', 'This cursor does not belong to this list. Start again without it.')

const isStorable = (value: unknown) => typeof value === 'string' && isStorableText(value)

/** The cursor after the last row that was shown, if some of a page's rows did not fit into the answer. */
export function cutAfter<T>(
  list: string,
  rows: readonly T[],
  shown: readonly unknown[],
  keyOf: (row: T) => Cursor<number | string>,
): string | undefined {
  const last = shown.length < rows.length ? rows[shown.length - 1] : undefined
  return last === undefined ? undefined : encodeCursor(list, keyOf(last))
}

/** Splits `limit + 1` rows into a page and the cursor of the next one. */
export function toPage<T>(
  list: string,
  rows: T[],
  limit: number,
  keyOf: (row: T) => Cursor<number | string>,
): { rows: T[]; nextCursor: string | null } {
  if (rows.length <= limit) return { rows, nextCursor: null }
  const page = rows.slice(0, limit)
  return { rows: page, nextCursor: encodeCursor(list, keyOf(page[limit - 1]!)) }
}
