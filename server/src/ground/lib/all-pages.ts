import { createPace } from './pace.ts'

/** All rows of a list, page by page, with other work in between; `list` returns at most `limit` rows after one. */
export async function* allPages<Row>(
  limit: number,
  list: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  const pace = createPace()
  for (let last: Row | undefined; ; ) {
    await pace()
    const page = await list(last)
    if (page.length > 0) yield page
    if (page.length < limit) return
    last = page.at(-1)
  }
}

/** The same of rows in the order of their numbers; `list` returns the rows after a number. */
export const pagesById = <Row>(
  limit: number,
  list: (page: { after: number; limit: number }) => Promise<Row[]>,
  numberOf: (row: Row) => number,
): AsyncGenerator<Row[], void> =>
  allPages(limit, (last?: Row) => list({ after: last === undefined ? 0 : numberOf(last), limit }))
