import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Highlighted } from './highlighted.tsx'

const shown = (content: string, highlights: [number, number][]) =>
  renderToStaticMarkup(createElement(Highlighted, { content, highlights }))

test('matches are marked in place once the Markdown is gone', () => {
  expect(shown('Runs **every hour** on `hosts`', [[13, 17]])).toBe('Runs every <mark>hour</mark> on hosts')
})

test('a match in the address of a link stays visible', () => {
  expect(shown('[Guide](https://a.b)', [[8, 19]])).toBe('[Guide](<mark>https://a.b</mark>)')
})
