import { expect, test } from 'vitest'
import { estimateTokens } from '../../ground/lib/tokens.ts'
import { excerpt } from './excerpt.ts'

const sections = Array.from(
  { length: 60 },
  (_, i) => `Valve V-${String(i).padStart(3, '0')} was tested and replaced by a technician.`,
)
const log = [...sections.slice(0, 50), 'Valve, valve and valve again.', ...sections.slice(50)].join(' ')

const cut = (content: string, asked: RegExp, tokens: number) =>
  excerpt(
    {
      content,
      highlights: [...content.matchAll(asked)].map((match): [number, number] => [
        match.index,
        match.index + match[0].length,
      ]),
    },
    tokens,
  )

test('a text that fits is whole', () => {
  expect(excerpt({ content: 'Short', highlights: [] }, 100)).toBe('Short')
})

test('a match that is rare in the text counts more than many of a word that is everywhere', () => {
  const part = cut(log, /V-042|valve/gi, 60)
  expect(part).toContain('V-042')
  expect(part).toMatch(/^\.\.\. .* \.\.\.$/s)
  expect(estimateTokens(part)).toBeLessThanOrEqual(66)
})

test('the part with most words of the question is told, the first of equal ones', () => {
  const far = `${log} Close the relief line in an emergency.`
  expect(cut(far, /relief|emergency|V-001/g, 40)).toContain('relief line in an emergency')
  expect(cut(log, /valve/gi, 40)).toContain('valve and valve again')
  expect(cut(log, /nothing/g, 40)).toMatch(/^Valve V-000/)
})
