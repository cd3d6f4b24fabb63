import type { z } from 'zod'
import { AppError } from './app-error.ts'

/** The first problem is the message; all are in the details. */
export function toValidationError(error: z.ZodError): AppError {
  const details = error.issues
    .slice(0, 50)
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  return new AppError('validation_failed', details[0]?.message ?? 'The request is not valid', { details })
}
