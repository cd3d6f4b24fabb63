import { ApiError } from '@loci/client/call'
import type { ErrorCode } from '@loci/contract/errors'

/** The server's own words, when it spoke; the fallback otherwise. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.code !== 'internal' ? error.message : fallback
}

export function isApiError(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** What the server says of each field of a rejected form: `{name: 'Name is required'}`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const pairs = error.details.flatMap(({ path, message }) =>
    typeof message === 'string' && path !== undefined ? [[fieldOf(path), message] as const] : [],
  )
  return Object.fromEntries(pairs)
}

function fieldOf(path: unknown): string {
  return String(Array.isArray(path) ? path[0] : path).split('.')[0]!
}
