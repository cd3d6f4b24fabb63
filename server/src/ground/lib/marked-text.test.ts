import { expect, test } from 'vitest'
import { markedText } from './marked-text.ts'

test.each([
  ['Runs **every hour** on `positions`', 'Runs <b>every hour</b> on <code>positions</code>'],
  ['<i>2 ** 3</i> and `<b>`', '&#60;i&#62;2 ** 3&#60;/i&#62; and <code>&#60;b&#62;</code>'],
  ['`**both**` ** ` alone', '<code>**both**</code> ** ` alone'],
  ['', ''],
])('%s', (text, expected) => {
  expect(markedText(text).text).toBe(expected)
})
