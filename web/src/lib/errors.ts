import { ApiError } from '@loci/client/call'
import type { ErrorCode } from '@loci/contract/errors'
import { ConnectionError } from './reachability.ts'

const unreachableText = 'The server cannot be reached. Try again when the connection is back.'

/** Where the plan is changed, which the server names for agents. */
const billingAddress = / at https?:\/\/\S+\/billing\b/

/** The server's message if it sent one; otherwise the fallback, or why there was no response. */
export function messageOf(error: unknown, fallback: string): string {
  if (fallback === '' && error instanceof ConnectionError) return unreachableText
  if (!(error instanceof ApiError) || error.code === 'internal') return fallback
  return error.message.replace(billingAddress, ' under Billing')
}

export function isApiError(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** The server's messages for the fields of a rejected form: `{name: 'Name is required'}`. */
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
