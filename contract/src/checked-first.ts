import { z } from 'zod'

/**
 * `schema`, which sees a value only if `problemOf` finds none. A schema walks all of a value before it compares its
 * size with a bound; `problemOf` stops at the bound.
 */
export function checkedFirst<S extends z.ZodType>(
  schema: S,
  problemOf: (value: unknown) => string | undefined,
): S {
  const checked = z.preprocess((value, context) => {
    const problem = problemOf(value)
    if (problem === undefined) return value
    context.issues.push({ code: 'custom', message: problem, input: value })
    return z.NEVER
  }, schema)
  // The same values go in and come out; `preprocess` itself takes anything.
  return checked as unknown as S
}

/** `1,000`. `toLocaleString` would take a twentieth of every start. */
const inThousands = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** A list of at most `max` items; a longer one is refused before its items are looked at. */
export function listOf<S extends z.ZodType>(
  items: S,
  max: number,
  { min = 0, message = `At most ${inThousands(max)} items` }: { min?: number; message?: string } = {},
): z.ZodArray<S> {
  const problemOf = (value: unknown) => (Array.isArray(value) && value.length > max ? message : undefined)
  return checkedFirst(z.array(items).min(min).max(max, message), problemOf)
}
