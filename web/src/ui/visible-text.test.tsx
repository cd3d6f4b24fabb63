// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../test/screen.tsx'
import { RichText } from './markdown/rich-text.tsx'
import { VisibleText } from './visible-text.tsx'

const tags = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('')

test('what cannot be seen in a text is marked with its code point, and said in words', async () => {
  await show(<VisibleText text={`Pay \u202eecila\u202c now${tags}.\u0007`} />)
  expect(document.body.textContent).toContain('Pay U+202Eecila')
  expect(screen.getAllByRole('note').map((mark) => [mark.textContent, mark.ariaLabel])).toEqual([
    [
      'U+202E',
      'Direction control: text can read in another order than it is stored. Agents do not receive it.',
    ],
    [
      'U+202C',
      'Direction control: text can read in another order than it is stored. Agents do not receive it.',
    ],
    ['U+E006F +3', 'Tag character, and 3 more beside it, spelling “obey”. Agents do not receive it.'],
    ['U+0007', 'Control character. Agents do not receive it.'],
  ])
})

test.each(['Plain text\nof two lines', 'Family 👨‍👩‍👧‍👦, ❤️‍🔥 and 1️⃣', 'می‌خواهم', 'ക്‍ഷ'])(
  '%s has nothing to mark',
  async (text) => {
    await show(<VisibleText text={text} />)
    expect(screen.queryByRole('note')).toBeNull()
    expect(document.body.textContent).toContain(text)
  },
)

test('it is marked in Markdown too', async () => {
  await show(<RichText text={`**Pay** \`co\u200bde\` and [a\u2060 link](https://example.com)`} />)
  await screen.findByRole('link')
  expect(screen.getAllByRole('note').map((mark) => mark.textContent)).toEqual(['U+200B', 'U+2060'])
})
