import { z } from 'zod'
import { listOf } from './checked-first.ts'
import { fromCommaList } from './comma-list.ts'
import { hasControls, withoutHidden } from './hidden-characters.ts'

/** True if every supported database can store `value`: no NUL character, no lone surrogate. */
export function isStorableText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed()
}

const UNSTORABLE = 'Must not contain NUL characters or unpaired surrogates'

/** A string that can be searched for in every database. */
export const StorableText = z.string().refine(isStorableText, UNSTORABLE)

/** A string of `min` to `max` characters (code points) that every database can store. One message at a time. */
export function text(min: number, max: number, label = 'Text') {
  return z
    .string({ error: ({ input }) => `${label} ${input == null ? 'is required' : 'must be text'}` })
    .min(min, { error: `${label} is required`, abort: true })
    .max(max, { error: `${label} must be at most ${max} characters long`, abort: true })
    .refine(isStorableText, { error: UNSTORABLE, abort: true })
}

/** Like {@link text}, but not only white space. */
export function nonBlankText(max: number, label: string) {
  const error = `${label} is required`
  return text(1, max, label).refine((value) => value.trim() !== '', { error, abort: true })
}

/** Something people and models are shown in a line: not blank, and without line breaks and other control characters. */
export function nameText(max: number, label: string) {
  return nonBlankText(max, label)
    .refine((value) => !hasControls(value), {
      error: `${label} must not contain line breaks or control characters`,
      abort: true,
    })
    .refine((value) => withoutHidden(value).trim() !== '', `${label} must have a character that can be seen`)
}

/** Moments cross the wire as ISO-8601 UTC with milliseconds: `2026-11-21T10:00:00.000Z`. */
export const IsoDateTime = z.iso.datetime()

const minutes = -1

/** A moment given by a caller: ISO-8601 with any offset, to the minute or finer, or a plain date (midnight UTC). */
export const MomentInput = z.union(
  [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: minutes }), z.iso.date()],
  { error: 'Must be an ISO-8601 date or date-time' },
)

const boundError = { error: 'Must be a year, a month, or an ISO-8601 date or date-time' }
const YearOrMonth = z.string().regex(/^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/, boundError)

/** The same as a bound of when something was true or said: a year or month begins with its first day. */
export const MomentBound = z.union([MomentInput, YearOrMonth], boundError)

/** Comma separated list in a query string: `a,b` is `['a', 'b']`, `a\, b` is `['a, b']`; empty items are dropped. */
export const CommaList = z
  .string()
  .max(4096)
  .refine(isStorableText, UNSTORABLE)
  .describe(
    'A list separated by commas; a backslash goes before a comma or a backslash within an item, and an outer space',
  )
  .transform(fromCommaList)

/** A filter by a comma separated list in a query string; an empty one filters nothing. */
export const filterList = <T>(item: z.ZodType<T, string>) =>
  CommaList.pipe(z.array(item))
    .transform((items) => (items.length === 0 ? undefined : items))
    .optional()

/** A whole number in a query string, `min` to `max`. */
export function queryInteger(min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .default(fallback)
}

/** `true` or `false` (also `1`, `0`) in a query string; false when absent. */
export const QueryBoolean = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1')
  .default(false)

/** The same in a body: a list, or comma separated text. */
export const BodyList = z.union([listOf(text(1, 64, 'Item'), 500), CommaList], {
  error: 'Must be a list of at most 500 texts of 1 to 64 characters',
})

/** The same in a body: a number, or a string of digits. */
export function bodyInteger(min: number, max: number, fallback: number) {
  return z.union([z.number().int().min(min).max(max), queryInteger(min, max, fallback)], {
    error: `Must be a whole number from ${min} to ${max}`,
  })
}

/** The same in a body: a boolean, or a string. */
export const BodyBoolean = z.union([z.boolean(), QueryBoolean], { error: 'Must be true or false' })

/** The search text of a list: any storable text of up to 10,000 characters. */
export const QueryText = z.string().max(10_000).refine(isStorableText, UNSTORABLE).default('')
