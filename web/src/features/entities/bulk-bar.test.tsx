// @vitest-environment jsdom
import type { GraphEvent } from '@loci/contract/realtime'
import { spaceHeader } from '@loci/contract/spaces'
import { act, screen, waitFor, within } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { catchDownloads } from '../../../test/browser.ts'
import { entityOf } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { OtherSpace } from './move.queries.ts'
import { type Selected, useSelection } from './use-selection.ts'

const live = vi.hoisted(() => ({ handlers: new Set<(event: GraphEvent) => void>() }))
vi.mock('../../lib/live.ts', async (original) => ({
  ...(await original<object>()),
  onLiveEvent: (handler: (event: GraphEvent) => void) => {
    live.handlers.add(handler)
    return () => live.handlers.delete(handler)
  },
}))
const tell = (type: string, payload: object) => {
  for (const handler of live.handlers) handler({ type, payload } as GraphEvent)
}

const two = [entityOf('Engine'), entityOf('Loom')]
const seven = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => entityOf(name))
const ids = two.map(({ id }) => id)
const work: OtherSpace = { id: 'spc_work', name: 'Work' }

/** A list in which these are ticked from the start. */
function Ticked({ entities, spaces = [] }: { entities: readonly Selected[]; spaces?: OtherSpace[] }) {
  const selection = useSelection()
  const { add } = selection
  useEffect(() => add(entities), [add, entities])
  return <BulkBar selection={selection} otherSpaces={spaces} />
}

const bar = async () => within(await screen.findByRole('region', { name: 'Selected entities' }))
const press = async (name: string) => (await bar()).getByRole('button', { name })
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const isEmpty = () => waitFor(() => expect(screen.queryByRole('region')).toBeNull())

test('the bar counts what is selected, and clearing the selection removes it', async () => {
  const { user } = await show(<Ticked entities={seven} />)
  expect((await bar()).getByRole('status').textContent).toBe('7 selected')
  await user.click(await press('Clear selection'))
  await isEmpty()
})

test('what was deleted elsewhere is no longer selected, and what was renamed has its new name', async () => {
  const { user } = await show(<Ticked entities={seven} />)
  await bar()
  act(() => {
    tell('entity_deleted', { entityId: 'ent_a', name: 'A' })
    tell('entity_updated', { id: 'ent_b', name: 'New B', type: 'project' })
    tell('entity_updated', { id: 'ent_loom', name: 'Loom', type: 'project' })
  })
  expect((await bar()).getByRole('status').textContent).toBe('6 selected')
  await user.click(await press('Delete'))
  const [first] = (await dialog('Delete Entities')).getAllByRole('listitem')
  expect(first?.textContent).toBe('New B')
})

test('a viewer may look and export, and nothing else', async () => {
  await show(<Ticked entities={two} />, { as: personAs('viewer') })
  const names = (await bar()).getAllByRole('button').map((button) => button.textContent)
  expect(names).toEqual(['Export', ''])
  expect((await bar()).getByRole('link', { name: 'Show in graph' })).toBeTruthy()
})

test('a single entity cannot be merged, and without another space nothing can be moved', async () => {
  await show(<Ticked entities={two.slice(0, 1)} />)
  expect((await bar()).queryByRole('button', { name: 'Merge' })).toBeNull()
  expect((await bar()).queryByRole('button', { name: 'Move' })).toBeNull()
  expect((await bar()).getByRole('button', { name: 'Change type' })).toBeTruthy()
})

test('the graph opens with all of them', async () => {
  const { user, address } = await show(<Ticked entities={two} />)
  await user.click((await bar()).getByRole('link', { name: 'Show in graph' }))
  const { pathname, searchParams } = new URL(address(), 'http://loci.test')
  expect(pathname).toBe('/graph')
  expect(searchParams.get('selected')).toBe('ent_engine')
  expect(searchParams.get('expanded')).toBe('ent_engine,ent_loom')
})

test('deletion names the first five, counts the rest and waits for the answer', async () => {
  const server = serve({ deleteEntities: { changed: 7, setId: 'set_1' } })
  const { user } = await show(<Ticked entities={seven} />)
  await user.click(await press('Delete'))
  const question = await dialog('Delete Entities')
  expect(question.getByText(/Are you sure you want to delete 7 entities/)).toBeTruthy()
  expect(question.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    ...['A', 'B', 'C', 'D', 'E'],
    'and 2 more',
  ])
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(server.calls).toEqual([])
  await user.click(await press('Delete'))
  await user.click((await dialog('Delete Entities')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('7 entities deleted')).toBeTruthy()
  expect(server.callsOf('deleteEntities')).toMatchObject([{ body: { ids: seven.map(({ id }) => id) } }])
  await isEmpty()
})

test('a refused deletion says why, and everything stays selected', async () => {
  serve({ deleteEntities: new Refusal('forbidden', 'Your role may only read') })
  const { user } = await show(<Ticked entities={two} />)
  await user.click(await press('Delete'))
  await user.click((await dialog('Delete Entities')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Failed to delete entities')).toBeTruthy()
  expect(screen.getByText('Your role may only read')).toBeTruthy()
  expect((await bar()).getByRole('status').textContent).toBe('2 selected')
})

test('a bulk change can be undone from its toast', async () => {
  const server = serve({
    deleteEntities: { changed: 2, setId: 'set_9' },
    undoChangeSet: { undone: 2, setId: 'set_10' },
  })
  const { user } = await show(<Ticked entities={two} />)
  await user.click(await press('Delete'))
  await user.click((await dialog('Delete Entities')).getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(server.callsOf('undoChangeSet')).toMatchObject([{ params: { setId: 'set_9' } }])
})

test('a new type is required, and sent trimmed', async () => {
  const server = serve({
    listEntityTypes: { types: [] },
    retypeEntities: { changed: 2, setId: 'set_1' },
  })
  const { user } = await show(<Ticked entities={two} />)
  await user.click(await press('Change type'))
  const form = await dialog('Change Type')
  await user.click(form.getByRole('button', { name: 'Change Type' }))
  expect(form.getByText('Type is required')).toBeTruthy()
  expect(server.callsOf('retypeEntities')).toEqual([])
  await user.type(form.getByRole('combobox', { name: 'New type of 2 entities' }), ' machine {Enter}')
  expect(await screen.findByText('2 entities changed to machine')).toBeTruthy()
  expect(server.callsOf('retypeEntities')).toMatchObject([{ body: { ids, type: 'machine' } }])
  await isEmpty()
})

test('a merge keeps the first entity unless another one is chosen', async () => {
  const server = serve({ mergeEntities: { changed: 1, setId: 'set_1', entity: two[1]! } })
  const { user } = await show(<Ticked entities={two} />)
  await user.click(await press('Merge'))
  const form = await dialog('Merge Entities')
  expect(form.getByRole<HTMLInputElement>('radio', { name: 'Engine' }).checked).toBe(true)
  await user.click(form.getByRole('radio', { name: 'Loom' }))
  await user.click(form.getByRole('button', { name: 'Merge' }))
  expect(await screen.findByText('1 entity merged into Loom')).toBeTruthy()
  expect(server.callsOf('mergeEntities')).toMatchObject([{ body: { ids, into: 'ent_loom' } }])
})

test('a move says which relations are lost, and is undone in the other space first', async () => {
  const server = serve({
    moveEntities: {
      entities: 2,
      observations: 5,
      relations: 1,
      relationsDeleted: 3,
      setId: 'set_here',
      space: { id: 'spc_work', setId: 'set_there' },
    },
    undoChangeSet: { undone: 2, setId: 'set_10' },
  })
  const { user } = await show(<Ticked entities={two} spaces={[work]} />)
  await user.click(await press('Move'))
  const form = await dialog('Move Entities')
  expect(form.getByText(/Relations to entities that stay here are deleted/)).toBeTruthy()
  await user.click(form.getByRole('button', { name: 'Move' }))
  expect(await screen.findByText('2 entities moved to Work; 3 relations to others deleted')).toBeTruthy()
  expect(server.callsOf('moveEntities')).toMatchObject([{ body: { ids, space: 'spc_work' } }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  const undone = server.callsOf('undoChangeSet')
  expect(undone.map(({ params }) => params.setId)).toEqual(['set_there', 'set_here'])
  expect(undone.map(({ headers }) => headers.get(spaceHeader))).toEqual(['spc_work', null])
})

test('the export requests only the selected entities and saves a file', async () => {
  const saved = catchDownloads()
  const server = serve({ export: '{"type":"entity"}\n' })
  const { user } = await show(<Ticked entities={two} />)
  await user.click(await press('Export'))
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['loci-selection.jsonl']))
  expect(server.callsOf('export')).toMatchObject([{ query: { ids: 'ent_engine,ent_loom' } }])
})
