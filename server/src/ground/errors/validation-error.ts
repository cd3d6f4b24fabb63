import type { z } from 'zod'
import { AppError } from './app-error.ts'
import { plainMessage } from './plain-message.ts'

/** Options for parsing what a caller sent, whose problems are told to people. */
export const inPlainWords = { error: plainMessage } as const

export type Problems = Pick<z.ZodError, 'issues'>

/** The first problem is the message; the details list all. */
export function toValidationError(error: Problems): AppError {
  const details = error.issues
    .flatMap(ofMeantForm)
    .slice(0, 50)
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  const [first] = details
  const message = first === undefined ? 'The request is not valid' : sentenceOf(first)
  return new AppError('validation_failed', message, { details })
}

/**
 * Of a value that may have one of several forms, the problems with the only form that it can be meant as: one whose
 * fields are there. Else the problem itself.
 */
function ofMeantForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.filter((problems) => problems.every(isOfField))
  if (meant.length !== 1) return [issue]
  return meant[0]!.flatMap((inner) => ofMeantForm({ ...inner, path: [...issue.path, ...inner.path] }))
}

const isOfField = ({ path, message }: z.core.$ZodIssue) =>
  path.length > 1 || (path.length === 1 && !/is required$/i.test(message))

/** Messages that lack a subject get the field's name: "limit must be at least 1". */
function sentenceOf({ path, message }: { path: string; message: string }): string {
  if (!/^(?:Must|Is|Does) /.test(message)) return message
  return `${path === '' ? 'The request' : path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}
