// @vitest-environment jsdom
import type { Duplicate, DuplicatesResponse } from '@loci/contract/duplicates'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { entityOf, observationOf } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { DuplicatesPage } from './duplicates-page.tsx'

const side = (name: string, facts: string[] = [], aliases: string[] = []) => ({
  ...entityOf(name, { aliases, observationsCount: facts.length }),
  relationsCount: 1,
  observations: facts.map((content, index) => observationOf(`obs_${name}_${index}`, content)),
})

const pair = (score: number, ...entities: Duplicate['entities']): Duplicate => ({
  score,
  reasons: [{ kind: 'name', text: 'The names are spelt alike' }],
  entities,
})

const engines = pair(0.9, side('Engine', ['One', 'Two', 'Three', 'Four'], ['Mill']), side('Engines'))
const looms = pair(0.75, side('Loom'), side('Lume'))
const pageOf = (...duplicates: Duplicate[]): DuplicatesResponse => ({
  duplicates,
  total: duplicates.length,
  nextCursor: null,
})

const card = async (name: string) => within(await screen.findByRole('article', { name }))

test('a pair shows how likely it is, why, and what is known of both', async () => {
  serve({ listDuplicates: pageOf(engines) })
  await show(<DuplicatesPage />)
  const shown = await card('Engine and Engines')
  expect(shown.getByRole('heading', { name: 'Very likely the same' })).toBeTruthy()
  for (const text of ['The names are spelt alike', 'Also Mill', '4 observations', '0 observations'])
    expect(shown.getByText(text)).toBeTruthy()
  expect(shown.getAllByText('1 relation')).toHaveLength(2)
  expect(shown.getByText('No observations')).toBeTruthy()
  expect(shown.queryByText('One'), 'only the three newest are shown').toBeNull()
  expect(shown.getAllByText(/^(Two|Three|Four)$/).map((fact) => fact.textContent)).toEqual([
    'Four',
    'Three',
    'Two',
  ])
})

test('the first name is kept unless the other one is chosen, and the pair leaves the list', async () => {
  let answer = pageOf(engines, looms)
  const server = serve({
    listDuplicates: () => answer,
    mergeEntities: () => {
      answer = pageOf(looms)
      return { changed: 1, setId: 'set_1', entity: entityOf('Engines') }
    },
  })
  const { user } = await show(<DuplicatesPage />)
  const shown = await card('Engine and Engines')
  expect(shown.getByRole<HTMLInputElement>('radio', { name: 'Keep the name Engine' }).checked).toBe(true)
  await user.click(shown.getByRole('radio', { name: 'Keep the name Engines' }))
  expect(shown.getAllByText('Stays')).toHaveLength(1)
  await user.click(shown.getByRole('button', { name: 'Merge' }))
  expect(await screen.findByText('Engine merged into Engines')).toBeTruthy()
  expect(server.callsOf('mergeEntities')).toMatchObject([
    { body: { ids: ['ent_engine'], into: 'ent_engines' } },
  ])
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Engine and Engines' })).toBeNull())
  expect(screen.getByText('1 pair')).toBeTruthy()
})

test('a pair marked as different leaves the list, and comes back when that is undone', async () => {
  let answer = pageOf(looms)
  const server = serve({
    listDuplicates: () => answer,
    dismissDuplicate: () => {
      answer = pageOf()
    },
    undismissDuplicate: () => {
      answer = pageOf(looms)
    },
  })
  const { user } = await show(<DuplicatesPage />)
  await user.click((await card('Loom and Lume')).getByRole('button', { name: 'Not the same' }))
  expect(await screen.findByText('Loom and Lume kept separate')).toBeTruthy()
  expect(await screen.findByText('No duplicates found')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await card('Loom and Lume')).toBeTruthy()
  const ids = ['ent_loom', 'ent_lume']
  expect(server.callsOf('dismissDuplicate')).toMatchObject([{ body: { ids } }])
  expect(server.callsOf('undismissDuplicate')).toMatchObject([{ body: { ids } }])
})

test('a merge that is refused says why and keeps the pair', async () => {
  serve({ listDuplicates: pageOf(looms), mergeEntities: new Refusal('entity_not_found', 'Entity not found') })
  const { user } = await show(<DuplicatesPage />)
  await user.click((await card('Loom and Lume')).getByRole('button', { name: 'Merge' }))
  expect(await screen.findByText('Failed to merge entities')).toBeTruthy()
  const merge = (await card('Loom and Lume')).getByRole<HTMLButtonElement>('button', { name: 'Merge' })
  expect(merge.disabled).toBe(false)
})

test('a very long name is shortened in the message', async () => {
  const long = { ...side('N'.repeat(500)), id: 'ent_long' }
  serve({
    listDuplicates: pageOf(pair(0.7, side('Loom'), long)),
    mergeEntities: { changed: 1, setId: null, entity: entityOf('Loom') },
  })
  const { user } = await show(<DuplicatesPage />)
  await user.click(await screen.findByRole('button', { name: 'Merge' }))
  expect(await screen.findByText(`${'N'.repeat(59)}… merged into Loom`)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' }), 'nothing changed').toBeNull()
})

test('a viewer sees the pairs but cannot decide', async () => {
  serve({ listDuplicates: pageOf(looms) })
  await show(<DuplicatesPage />, { as: personAs('viewer') })
  const shown = await card('Loom and Lume')
  expect(shown.queryByRole('button')).toBeNull()
  expect(shown.queryByRole('radio')).toBeNull()
  expect(shown.queryByText('Stays')).toBeNull()
})

test('a count that the server gave up on is shown as a lower bound', async () => {
  serve({ listDuplicates: { ...pageOf(looms), total: 500, nextCursor: 'next' } })
  await show(<DuplicatesPage />)
  expect(await screen.findByText('500 pairs or more')).toBeTruthy()
})

test('further pairs are loaded on request, and again if that fails', async () => {
  const server = serve({
    listDuplicates: ({ query }) =>
      query.cursor === undefined
        ? { ...pageOf(looms), total: 2, nextCursor: 'next' }
        : new Refusal('invalid_cursor', 'No'),
  })
  const { user } = await show(<DuplicatesPage />)
  await user.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('Failed to look for more')).toBeTruthy()
  server.answer({ listDuplicates: pageOf(engines) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await card('Engine and Engines')).toBeTruthy()
  expect(await card('Loom and Lume')).toBeTruthy()
})

test('a failure does not look like a memory without duplicates, and Refresh and Try again retry', async () => {
  const server = serve({ listDuplicates: new Refusal('forbidden', 'No') })
  const { user } = await show(<DuplicatesPage />)
  expect(await screen.findByText('Failed to look for duplicates')).toBeTruthy()
  expect(screen.queryByText('No duplicates found')).toBeNull()
  server.answer({ listDuplicates: pageOf(looms) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await card('Loom and Lume')).toBeTruthy()
  server.answer({ listDuplicates: pageOf(engines) })
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await card('Engine and Engines')).toBeTruthy()
})
