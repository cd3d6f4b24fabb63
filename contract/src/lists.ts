import { z } from 'zod'
import { queryInteger } from './text.ts'

export const listLimitMax = 500
export const listLimitDefault = 100

/** Query parameters of every list; `cursor` is opaque: the `nextCursor` of the previous page. */
export const PageQuery = z.object({
  limit: queryInteger(1, listLimitMax, listLimitDefault),
  cursor: z.string().max(4096).optional(),
})

/** Null on the last page. */
export const NextCursor = z.string().nullable()

/** One type with the number of things of it; `label` is fit to show to a person. */
export const TypeCount = z.object({ type: z.string(), label: z.string(), count: z.number().int() })
export type TypeCount = z.infer<typeof TypeCount>

export const TypesResponse = z.object({ types: z.array(TypeCount) })

/** `depends_on` -> `depends on`: within a sentence. */
export function wordsOfType(type: string): string {
  return type.replace(/[-_]/g, ' ')
}

/** `depends_on` -> `Depends on`: first letter capitalised, `-` and `_` turned into spaces. */
export function labelOfType(type: string): string {
  const words = wordsOfType(type)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
