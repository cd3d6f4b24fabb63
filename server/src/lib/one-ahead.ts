/** The same items; each is asked for while the one before it is dealt with. */
export async function* oneAhead<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
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
  // It may fail before anybody waits for it, or after nobody does any more.
  next.catch(() => {})
  return next
}
