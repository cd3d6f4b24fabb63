import { type ErrorBody, type ErrorCode, errorStatus } from '@loci/contract/errors'

/** The remaining part of a rate limit, and when it is full again. */
export type RateLimit = { limit: number; remaining: number; resetSeconds: number }

/** An error that callers can see. Its message can be shown to people. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: Record<string, unknown>[] | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  /** For the `RateLimit-*` headers of 429. */
  readonly rateLimit: RateLimit | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: Record<string, unknown>[]
      retryAfter?: number
      rateLimit?: RateLimit
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfter = options.retryAfter
    this.rateLimit = options.rateLimit
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** The error of one field of the input. */
export const invalidField = (path: string, message: string) =>
  new AppError('validation_failed', message, { details: [{ path, message }] })

/** The response body of an error. */
export function toErrorBody(error: AppError): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
}
