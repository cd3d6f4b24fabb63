import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { useAudit } from './audit.queries.ts'
import { AuditList } from './audit-list.tsx'

vi.mock('../../lib/api.ts', () => ({ api: {} }))
vi.mock('../../lib/use-now.ts', () => ({ useNow: () => Date.now() }))

const shown = (audit: object) => {
  const list = createElement(AuditList, { audit: audit as ReturnType<typeof useAudit>, none: 'None' })
  return renderToStaticMarkup(createElement(MantineProvider, null, list)).replace(/<style.*?<\/style>/gs, '')
}
const page = { events: [], nextCursor: 'more', keptDays: 1 }
const error = new Error('x')

test('a log that cannot be loaded says so, and never looks empty', () => {
  const html = shown({ error, isFetchNextPageError: false, hasNextPage: false })
  expect(html).toMatch(/Failed to load the audit log.*Try again/)
  expect(html).not.toContain('None')
})

test('older events that fail to load can be retried in the place of the button', () => {
  const loaded = { data: { pages: [page] }, hasNextPage: true }
  expect(shown({ ...loaded, error: null, isFetchNextPageError: false })).toContain('Show older events')
  const html = shown({ ...loaded, error, isFetchNextPageError: true })
  expect(html).toMatch(/Failed to load older events.*Try again/)
  expect(html).not.toMatch(/Show older events|the audit log/)
})
