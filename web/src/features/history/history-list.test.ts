import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { useHistory } from './history.queries.ts'
import { HistoryList } from './history-list.tsx'

vi.mock('../../lib/api.ts', () => ({ api: {} }))
vi.mock('./call-card.tsx', () => ({ CallCard: () => null }))
vi.mock('../../lib/use-now.ts', () => ({ useNow: () => Date.now() }))

const shown = (history: object) => {
  const list = createElement(HistoryList, {
    history: history as ReturnType<typeof useHistory>,
    none: 'None',
    onFilter: () => {},
  })
  return renderToStaticMarkup(createElement(MantineProvider, null, list)).replace(/<style.*?<\/style>/gs, '')
}
const page = { changes: [], nextCursor: 'more' }
const error = new Error('x')

test('a history that cannot be loaded says so, and never looks empty', () => {
  const html = shown({ error, isFetchNextPageError: false, hasNextPage: false })
  expect(html).toMatch(/Failed to load the history.*Try again/)
  expect(html).not.toContain('None')
})

test('older changes that fail to load can be retried in the place of the button', () => {
  const loaded = { data: { pages: [page] }, hasNextPage: true }
  expect(shown({ ...loaded, error: null, isFetchNextPageError: false })).toContain('Show older changes')
  const html = shown({ ...loaded, error, isFetchNextPageError: true })
  expect(html).toMatch(/Failed to load older changes.*Try again/)
  expect(html).not.toMatch(/Show older changes|the history/)
})
