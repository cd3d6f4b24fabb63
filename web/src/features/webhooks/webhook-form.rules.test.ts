import { expect, test } from 'vitest'
import { draftOf, eventsLabel, inputOf, isComplete } from './webhook-form.rules.ts'

test('a new endpoint gets all events until some are chosen', () => {
  const draft = { ...draftOf(undefined), url: ' https://example.com ' }
  expect(inputOf(draft)).toEqual({ url: 'https://example.com', description: '', events: ['*'] })
  const chosen = { ...draft, all: false, events: ['relation.created', 'entity.created'] }
  expect(inputOf(chosen).events).toEqual(['entity.created', 'relation.created'])
})

test('it needs an address and at least one event', () => {
  const draft = draftOf(undefined)
  expect(isComplete(draft)).toBe(false)
  expect(isComplete({ ...draft, url: 'https://example.com' })).toBe(true)
  expect(isComplete({ ...draft, url: 'https://example.com', all: false })).toBe(false)
})

test('events have short names', () => {
  expect(eventsLabel(['*'])).toBe('All events')
  expect(eventsLabel(['entity.created'])).toBe('entity.created')
  expect(eventsLabel(['entity.created', 'entity.deleted'])).toBe('2 events')
})
