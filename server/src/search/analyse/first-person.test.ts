import { expect, test } from 'vitest'
import { analyse } from './analyser.ts'
import { asksInFirstPerson, isFirstPerson } from './first-person.ts'
import { searchedTerms, toPassages } from './passages.ts'

test.each([
  'I moved to Lisbon',
  "That's what I've said",
  'It is on my desk.',
  'Mein Zug fällt aus',
  'Ja, ich weiß',
  'J’ai perdu mes clés',
  'Yo vivo en Lima',
  'Eu moro em Braga',
  'Ik woon in Gent',
  'Это я видел',
  'أنا من دمشق',
  '我住在上海',
  '私は東京に住んでいます',
  '저는 서울에 살아요',
])('"%s" is told in the first person', (text) => {
  expect(isFirstPerson(text)).toBe(true)
})

test.each([
  'Ada moved to Lisbon',
  'The US office is in Miami',
  'for (let i = 0; i < n; i++)',
  'EU law, MI5 and the IO thread',
  'Myra and Ichiro meet Ioana',
  'Она живёт в Якутске',
])('"%s" is not', (text) => {
  expect(isFirstPerson(text)).toBe(false)
})

test('a question in lower case is in the first person too', () => {
  expect(asksInFirstPerson('where did i leave the keys')).toBe(true)
  expect(asksInFirstPerson('where did Ada leave the keys')).toBe(false)
})

test('the mark of the first person is not a searchable term', () => {
  const text = `I wonder where the keys are?${' The keys are on the shelf.'.repeat(20)}`
  const pieces = toPassages(text, analyse(text)).map(({ terms }) => terms)
  expect(pieces.map((terms) => terms.includes('!'))).toEqual([true, false])
  expect(pieces.flatMap((terms) => searchedTerms(terms))).not.toContain('!')
})
