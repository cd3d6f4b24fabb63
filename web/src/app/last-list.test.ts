import { afterEach, expect, test } from 'vitest'
import { setScope } from '../lib/scope.ts'
import { lastList, noteList } from './last-list.ts'

const at = (pathname: string, search: string, index: number) =>
  noteList({
    pathname,
    search,
    hash: '',
    href: pathname + search,
    state: { __TSR_index: index, key: '', __TSR_key: '' },
  })

afterEach(() => setScope({}))

test('the list is remembered with its filters and scroll position, other pages are not', () => {
  at('/entities', '?type=person&query=ada', 3)
  at('/entities/ent_1', '', 4)
  expect(lastList('/entities')).toMatchObject({ search: { type: 'person', query: 'ada' }, index: 3 })
})

test('each kind of list is remembered by itself', () => {
  at('/conversations', '?agent=codex', 5)
  at('/entities', '', 6)
  expect(lastList('/conversations')).toMatchObject({ search: { agent: 'codex' }, index: 5 })
})

test("another space's list is not used", () => {
  at('/entities', '?type=person', 1)
  setScope({ space: 'spc_2' })
  expect(lastList('/entities')).toMatchObject({ search: {}, index: undefined })
})
