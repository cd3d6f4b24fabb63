import { type ErrorBody, type ErrorCode, errorStatus } from '@loci/contract/errors'

/** How much of an allowance is left, and when it is whole again. */
export type RateLimit = { limit: number; remaining: number; resetSeconds: number }

/** Every refusal that a caller may hear of. The message is fit to show to a person. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: Record<string, unknown>[] | undefined
  /** Seconds after which a new try makes sense. */
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

/** The body of `api.md` for an error. */
export function toErrorBody(error: AppError): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
}
