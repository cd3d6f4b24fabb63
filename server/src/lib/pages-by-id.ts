/** All rows in the order of their ids, page by page; `list` answers those after an id. */
export async function* pagesById<T extends { id: string }>(
  limit: number,
  list: (page: { after: string; limit: number }) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  for (let after = ''; ; ) {
    const page = await list({ after, limit })
    if (page.length > 0) yield page
    if (page.length < limit) return
    after = page[limit - 1]!.id
  }
}
