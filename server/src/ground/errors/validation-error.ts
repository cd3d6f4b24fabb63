import type { z } from 'zod'
import { AppError } from './app-error.ts'
import { plainMessage } from './plain-message.ts'

/** Options for parsing what a caller sent, whose problems are told to people. */
export const inPlainWords = { error: plainMessage } as const

/** The first problem is the message; the details list all. */
export function toValidationError(error: z.ZodError): AppError {
  const details = error.issues
    .slice(0, 50)
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  const [first] = details
  const message = first === undefined ? 'The request is not valid' : sentenceOf(first)
  return new AppError('validation_failed', message, { details })
}

/** Messages that lack a subject get the field's name: "limit must be at least 1". */
function sentenceOf({ path, message }: { path: string; message: string }): string {
  if (!/^(?:Must|Is|Does) /.test(message)) return message
  return `${path === '' ? 'The request' : path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}
