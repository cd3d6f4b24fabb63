// @vitest-environment jsdom
import type { ChangeCountsResponse } from '@loci/contract/changes'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import type { HistoryFilter } from '../../lib/filters.ts'
import { HistoryFacets } from './history-facets.tsx'

const ada = { kind: 'session', id: 'usr_1', name: 'Ada' } as const
const cursor = { kind: 'api_key', id: 'key_1', name: 'laptop', client: 'cursor' } as const
const counted = {
  counts: [
    { actor: ada, operation: 'entity_created', count: 3 },
    { actor: cursor, operation: 'entity_created', count: 1 },
    { actor: { ...cursor, id: 'key_2' }, operation: 'observation_added', count: 1_000 },
    { actor: { ...cursor, id: 'key_2' }, operation: 'entity_erased', count: 1 },
  ],
  isComplete: true,
} as const

async function showFacets(
  filter: HistoryFilter,
  isComplete = true,
  counts: ChangeCountsResponse['counts'] = [...counted.counts],
) {
  serve({})
  const onChange = vi.fn()
  const { user } = await show(
    <HistoryFacets
      filter={filter}
      counted={{ counts, isComplete }}
      writerName={undefined}
      onChange={onChange}
    />,
  )
  const texts = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
  return { user, onChange, texts }
}

test('an agent counts once whatever its keys, each group under the choices of the others', async () => {
  const { texts, user, onChange } = await showFacets({ kind: 'entities', client: 'cursor' })
  expect(texts()).toEqual(
    expect.arrayContaining(['Everyone5', 'ADAda3', 'CUcursor2', 'Everything1,002', 'Entities2', 'Merges0']),
  )
  expect(screen.queryByText(/newest/)).toBeNull()
  await user.click(screen.getByText('Ada'))
  expect(onChange).toHaveBeenLastCalledWith({ client: undefined, actorId: 'usr_1' })
})

test("the number of a writer is that of the list: a key's with its agents, a person's without", async () => {
  const personalKey = { ...ada, kind: 'personal_key' } as const
  const laptop = { kind: 'api_key', id: 'key_1', name: 'laptop' } as const
  const changes = [
    { actor: personalKey, count: 1 },
    { actor: { ...personalKey, client: 'claude-code' }, count: 2 },
    { actor: ada, count: 4 },
    { actor: laptop, count: 8 },
    { actor: { ...laptop, client: 'cursor' }, count: 16 },
  ]
  const counts = changes.map((change) => ({ ...change, operation: 'entity_created' as const }))
  const { texts } = await showFacets({}, true, counts)
  expect(texts().slice(0, 5)).toEqual(['Everyone31', 'LAlaptop24', 'CUcursor16', 'ADAda5', 'CCclaude-code2'])
})

test('a writer without changes stays chosen until everyone is', async () => {
  const { user, onChange } = await showFacets({ client: 'codex' }, false)
  expect(screen.getByRole('button', { name: /codex/ }).getAttribute('aria-pressed')).toBe('true')
  expect(screen.getByText('Numbers are of the newest 1,005 changes.')).toBeTruthy()
  await user.click(screen.getByText('Everyone'))
  expect(onChange).toHaveBeenLastCalledWith({ client: undefined, actorId: undefined })
})

test('the history of one entity has no numbers, which are of the whole memory', async () => {
  const { texts } = await showFacets({ entityId: 'ent_1' })
  expect(texts()).toEqual(expect.arrayContaining(['Everyone', 'ADAda', 'Everything']))
})
