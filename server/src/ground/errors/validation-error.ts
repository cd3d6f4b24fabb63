import type { z } from 'zod'
import { AppError } from './app-error.ts'

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

type Issue = Parameters<z.core.$ZodErrorMap>[0]

const nouns: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * A validation problem in words for people: a predicate that fits after the name of the field, such as
 * "must be at least 1". Used where a schema has no message of its own; undefined for rare problems,
 * which keep the library's message.
 */
function plainMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Is required'
      return nouns[issue.expected] === undefined ? undefined : `Must be ${nouns[issue.expected]}`
    case 'too_small':
      return sizeMessage(issue.origin, issue.exact ? '' : 'at least ', issue.minimum)
    case 'too_big':
      return sizeMessage(issue.origin, issue.exact ? '' : 'at most ', issue.maximum)
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return Array.isArray(issue.options) ? oneOf(issue.options) : 'Does not have one of the allowed forms'
    case 'invalid_format':
      return formatMessages[issue.format] ?? 'Does not have the right form'
    case 'unrecognized_keys':
      return `Must not contain ${issue.keys.join(', ')}`
    default:
      return undefined
  }
}

const formatMessages: Record<string, string> = {
  datetime: 'Must be an ISO-8601 date-time',
  date: 'Must be an ISO-8601 date',
  email: 'Must be an email address',
  url: 'Must be a URL',
}

const units: Record<string, string> = { string: 'character', array: 'item', set: 'item' }

function sizeMessage(origin: string, bound: string, size: number | bigint): string {
  const unit = units[origin]
  if (unit === undefined) return `Must be ${bound}${size}`
  return `Must have ${bound}${size} ${unit}${Number(size) === 1 ? '' : 's'}`
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `Must be ${values[0]}` : `Must be one of: ${values.join(', ')}`
}
