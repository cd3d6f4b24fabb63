import { createPace } from './pace.ts'

/** All rows in the order of their numbers, page by page, with other work in between; `list` returns the rows after a number. */
export async function* pagesById<T>(
  limit: number,
  list: (page: { after: number; limit: number }) => Promise<T[]>,
  numberOf: (row: T) => number,
): AsyncGenerator<T[], void> {
  const pace = createPace()
  for (let after = 0; ; ) {
    await pace()
    const page = await list({ after, limit })
    if (page.length > 0) yield page
    if (page.length < limit) return
    after = numberOf(page[limit - 1]!)
  }
}
