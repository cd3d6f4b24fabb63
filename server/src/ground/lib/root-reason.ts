/** What the first of a chain of errors says: below "fetch failed" it is "connect ECONNREFUSED 127.0.0.1:7400". */
export function rootReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return rootReason(error.cause)
  // Several failed addresses of a name are wrapped into one error without a message.
  return error.message === '' && error instanceof AggregateError ? rootReason(error.errors[0]) : error.message
}
