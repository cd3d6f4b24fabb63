import type { z } from 'zod'
import { AppError } from './app-error.ts'

/** The first problem is the message; the details list all. */
export function toValidationError(error: z.ZodError): AppError {
  const details = error.issues
    .slice(0, 50)
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  return new AppError('validation_failed', details[0]?.message ?? 'The request is not valid', { details })
}
