/** Yields the same items, but requests each one while the previous one is being processed. */
export async function* prefetchOne<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = ask(items)
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = ask(items)
      yield value
    }
  } finally {
    await items.return()
  }
}

function ask<T>(items: AsyncGenerator<T, void>): Promise<IteratorResult<T, void>> {
  const next = items.next()
  // It can fail before anybody awaits it, or after the last consumer is gone.
  next.catch(() => {})
  return next
}
