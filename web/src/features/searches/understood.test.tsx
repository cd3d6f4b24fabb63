import type { Understanding } from '@loci/contract/search'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { spanOfDays } from '../../ui/span-of-days.ts'
import { Understood } from './understood.tsx'

const textOf = (understood: Understanding) =>
  renderToStaticMarkup(<Understood understood={understood} />)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test('a period ends on its last day, not on the day after', () => {
  expect(spanOfDays('2026-11-15T00:00:00.000Z', '2026-11-22T00:00:00.000Z')).toBe(
    '15 Nov 2026 to 21 Nov 2026',
  )
  expect(spanOfDays('2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z')).toBe('15 Nov 2026')
})

test('a guess names the words searched for instead, and an unknown word none', () => {
  const guesses = [{ word: 'trakcing', taken: ['tracking', 'trucking', 'tracing', 'tricking'] }]
  const text = textOf({ guesses, unknown: ['zzz'] })
  expect(text).toContain('No match for “ trakcing ”; searched for tracking, trucking, tracing ')
  expect(text).toContain('No match for “ zzz ”')
  expect(text).not.toContain('tricking')
})

test('a query that was taken literally is not explained', () => {
  expect(renderToStaticMarkup(<Understood understood={{}} />)).toBe('')
})
