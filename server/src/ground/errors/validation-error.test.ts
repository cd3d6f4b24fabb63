import { CreateObservations } from '@loci/contract/observations'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { inPlainWords, toValidationError } from './validation-error.ts'

const Thing = z.object({
  name: z.string({ error: 'Name is required' }).default('thing'),
  limit: z.number().int().min(1).max(500).default(1),
  tags: z.array(z.string().max(3)).min(1).default(['a']),
  kind: z.enum(['a', 'b']).default('a'),
  size: z.union([z.number(), z.boolean()]).default(1),
  at: z.iso.datetime().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  code: z.string().length(6).optional(),
})

const told = (value: unknown, schema: z.ZodType = Thing) =>
  toValidationError(schema.safeParse(value, inPlainWords).error!).message

test('problems are described in words for people, with the name of the field', () => {
  expect(told({ name: null })).toBe('Name is required')
  expect(told({ limit: 0 })).toBe('limit must be at least 1')
  expect(told({ limit: 501 })).toBe('limit must be at most 500')
  expect(told({ limit: 1.5 })).toBe('limit must be a whole number')
  expect(told({ tags: [] })).toBe('tags must have at least 1 item')
  expect(told({ tags: ['ab', 'long'] })).toBe('tags.1 must have at most 3 characters')
  expect(told({ tags: 'a' })).toBe('tags must be a list')
  expect(told({ kind: 'c' })).toBe('kind must be one of: a, b')
  expect(told({ size: 'big' })).toBe('size does not have one of the allowed forms')
  expect(told({ at: 'noon' })).toBe('at must be an ISO-8601 date-time')
  expect(told({ metadata: [] })).toBe('metadata must be an object')
  expect(told({ code: '12' })).toBe('code must have 6 characters')
  expect(told(null)).toBe('The request must be an object')
  expect(told({}, z.object({ url: z.url() }))).toBe('url is required')
})

test('of a value with several forms, the one that was meant is described', () => {
  const { content, metadata } = { content: 'Likes tea', metadata: [] }
  expect(told({ content, metadata }, CreateObservations)).toBe('Metadata must be a JSON object')
  expect(told({ content, at: null }, CreateObservations)).toBe('at must be text')
  expect(told({ content, files: [{}] }, CreateObservations)).toBe('Path is required')
  expect(told({ observations: [content, { content, at: 5 }] }, CreateObservations)).toBe(
    'observations.1.at must be text',
  )
  expect(told({ content: 'x'.repeat(65_537) }, CreateObservations)).toBe(
    'Observation must be at most 65536 characters long',
  )
  expect(told({}, CreateObservations)).toBe('The request must have content, or observations')
})

test('the details list each problem under its path', () => {
  const error = toValidationError(Thing.safeParse({ limit: 'x', tags: [] }, inPlainWords).error!)
  expect(error.details).toEqual([
    { path: 'limit', message: 'Must be a number' },
    { path: 'tags', message: 'Must have at least 1 item' },
  ])
})
