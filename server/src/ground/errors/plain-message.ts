import type { z } from 'zod'

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
export function plainMessage(issue: Issue): string | undefined {
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
