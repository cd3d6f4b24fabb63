import { expect, test } from 'vitest'
import { listParts, splitWord } from './guess-words.ts'

test.each([
  ['autoverkauf', 'auto verkauf', 'auto verkauf'],
  ['autoverkauf', 'autos verkaufs', 'autos verkaufs'],
  ['versicherungsvertrag', 'versicherung vertrag', 'versicherung vertrag'],
  ['dampfschifffahrtsgesellschaft', 'dampfschiff fahrt gesellschaft', 'dampfschiff fahrt gesellschaft'],
  ['strassenbahnfahrer', 'strasse bahn fahrer', 'strasse bahn fahrer'],
  ['ziekenhuisbed', 'ziekenhuis bed', 'ziekenhuis bed'],
  ['autoverkauf', 'verkauf', ''],
  ['autotag', 'auto tag', ''],
])('%s of %s', (word, vocabulary, parts) => {
  const known = new Set(vocabulary.split(' '))
  const asked = new Set(listParts(word))
  expect(splitWord(word, (part) => asked.has(part) && known.has(part))).toEqual(
    parts.split(' ').filter(Boolean),
  )
})

test('the longest word has hundreds of parts, not thousands', () =>
  expect(listParts('abcdefghijklmnopqrstuvwxyzabcdefghijklmn').length).toBeLessThan(1_500))
