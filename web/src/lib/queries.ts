import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * Asks again after the first answer of a query that is invalidated while it is on its way, since it may have been read
 * before the change. TanStack Query takes it for fresh; it starts only later requests again.
 */
export class Queries extends QueryClient {
  readonly #askedAgain = new WeakSet<Query>()

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const first = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
    for (const query of first) this.#askAgain(query, filters?.refetchType)
    await super.invalidateQueries(filters, options)
  }

  #askAgain(query: Query, refetchType: InvalidateQueryFilters['refetchType']): void {
    if (this.#askedAgain.has(query)) return
    this.#askedAgain.add(query)
    const ask = () => {
      this.#askedAgain.delete(query)
      void super.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType })
    }
    // A failed request told nothing that could be older.
    query.promise?.then(ask, () => this.#askedAgain.delete(query))
  }
}
