import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { useHistory } from './history.queries.ts'
import { HistoryList } from './history-list.tsx'

vi.mock('../../lib/api.ts', () => ({ api: {} }))
vi.mock('./call-card.tsx', () => ({
  CallCard: ({ call, mayBePart }: { call: { setId: string }; mayBePart: boolean }) =>
    `[${call.setId} ${mayBePart ? 'perhaps a part' : 'whole'}]`,
}))
vi.mock('../../lib/use-now.ts', () => ({ useNow: () => Date.now() }))

const shown = (history: object, more: object = {}) => {
  const list = createElement(HistoryList, {
    history: history as ReturnType<typeof useHistory>,
    none: 'None',
    onFilter: () => {},
    ...more,
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

test('a call is whole, unless a filter picks from it or its older changes are not loaded', () => {
  const at = '2026-01-05T09:00:00.000Z'
  const changes = [
    { seq: 2, setId: 'set_2', at },
    { seq: 1, setId: 'set_1', at },
  ]
  const loaded = { data: { pages: [{ changes, nextCursor: null }] }, hasNextPage: false, error: null }
  expect(shown(loaded)).toMatch(/\[set_2 whole\]\[set_1 whole\]/)
  expect(shown({ ...loaded, hasNextPage: true })).toMatch(/\[set_2 whole\]\[set_1 perhaps a part\]/)
  const part = /\[set_2 perhaps a part\]\[set_1 perhaps a part\]/
  expect(shown(loaded, { picksFromCalls: true })).toMatch(part)
  expect(shown(loaded, { entityId: 'ent_1' })).toMatch(part)
})
