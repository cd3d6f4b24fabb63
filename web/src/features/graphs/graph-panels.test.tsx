// @vitest-environment jsdom
import type { GraphData } from '@loci/contract/graph'
import type { SavedView } from '@loci/contract/views'
import { act, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { entityOf, storedAt } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { ConnectionList } from './connection-list.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { GraphStatistics } from './graph-statistics.tsx'
import { type LiveGraph, liveGraphOf } from './live-graph.ts'
import { MostConnected } from './most-connected.tsx'
import { NodeSearch } from './node-search.tsx'
import { NodeTypes } from './node-types.tsx'
import { RelationFilter } from './relation-filter.tsx'
import { ViewsMenu } from './views-menu.tsx'

const node = (id: string, type = 'machine') => ({
  id,
  name: `Node ${id}`,
  type,
  observationsCount: 0,
  createdAt: storedAt,
  updatedAt: storedAt,
})
const edge = (fromEntityId: string, relationType: string, toEntityId: string) => ({
  id: `${fromEntityId} ${relationType} ${toEntityId}`,
  fromEntityId,
  toEntityId,
  relationType,
  createdAt: storedAt,
})
const data: GraphData = {
  entities: [node('a'), node('b'), node('c', 'project')],
  relations: [edge('a', 'drives', 'b'), edge('c', 'holds', 'a')],
  truncated: false,
}
const graphOf = (more: Partial<GraphData> = {}) => liveGraphOf({ ...data, ...more })

type Filter = typeof NodeTypes | typeof RelationFilter

/** A filter whose choices take effect, and what it hides. */
async function showFilter(Part: Filter, graph: LiveGraph = graphOf()) {
  const hides = vi.fn()
  function Chosen() {
    const [hidden, setHidden] = useState<string[]>([])
    hides(hidden)
    return <Part graph={graph} hidden={hidden} onChange={setHidden} />
  }
  const { user } = await show(<Chosen />)
  return { user, graph, hidden: () => hides.mock.lastCall?.[0] as string[] }
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })

test('a type is hidden and shown again, and Only hides all others', async () => {
  const { user, hidden } = await showFilter(NodeTypes)
  await user.click(button('machine2'))
  expect(hidden()).toEqual(['machine'])
  expect(button('machine2').getAttribute('aria-pressed')).toBe('false')
  expect(button('machine2').title).toBe('Show machine')
  await user.click(button('Only machine'))
  expect(hidden()).toEqual(['project'])
  await user.click(button('Show all'))
  expect(hidden()).toEqual([])
  expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
})

test('a type that arrives with a live change is listed', async () => {
  const { graph } = await showFilter(NodeTypes)
  act(() => {
    graph.setEntity(node('d', 'person'))
    graph.tell()
  })
  expect(button('person1')).toBeTruthy()
})

test('relation types are hidden one by one or all together', async () => {
  const { user, hidden } = await showFilter(RelationFilter)
  await user.click(button('None'))
  expect(hidden()).toEqual(['drives', 'holds'])
  await user.click(button('Holds1'))
  expect(hidden()).toEqual(['drives'])
  await user.click(button('All'))
  expect(hidden()).toEqual([])
})

test('eight relation types are listed, the others on request', async () => {
  const relations = Array.from({ length: 10 }, (_, index) => edge('a', `type ${index}`, 'b'))
  const { user } = await showFilter(RelationFilter, graphOf({ relations }))
  expect(screen.getAllByRole('button', { name: /^Type/ })).toHaveLength(8)
  await user.click(button('2 more'))
  expect(screen.getAllByRole('button', { name: /^Type/ })).toHaveLength(10)
})

test('a graph without relations has no relation filter', async () => {
  await showFilter(RelationFilter, graphOf({ relations: [] }))
  expect(screen.queryByText('Relations')).toBeNull()
})

test('the size of the graph is shown, and whether it is truncated', async () => {
  await show(<GraphStatistics graph={graphOf({ truncated: true })} mapFull />)
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['3', '2', '2'])
  expect(
    screen.getByText('Only the best-connected entities are shown. Raise the limit to see more.'),
  ).toBeTruthy()
  expect(screen.getByText(/^The shared map is full at 100,000 places: /)).toBeTruthy()
})

test('the most connected come first, and a click picks one', async () => {
  const onPick = vi.fn()
  const { user } = await show(<MostConnected graph={graphOf()} onPick={onPick} />)
  const [first] = within(screen.getByRole('list', { name: 'Most connected' })).getAllByRole('button')
  expect(first?.textContent).toContain('Node a')
  await user.click(first!)
  expect(onPick).toHaveBeenCalledExactlyOnceWith('a')
})

test('connections have a direction, and only the first hundred are listed', async () => {
  const entities = [node('a'), ...Array.from({ length: 101 }, (_, index) => node(`n${index}`))]
  const relations = entities
    .slice(1)
    .map(({ id }, index) => (index === 0 ? edge(id, 'to', 'a') : edge('a', 'to', id)))
  await show(<ConnectionList graph={graphOf({ entities, relations })} id="a" onPick={() => {}} />)
  const rows = within(screen.getByRole('list', { name: 'Connections' })).getAllByRole('listitem')
  expect(rows).toHaveLength(100)
  expect(screen.getAllByLabelText('from')).toHaveLength(1)
  expect(screen.getByText('1 more connection')).toBeTruthy()
})

test('a node without visible relations says so', async () => {
  await show(<ConnectionList graph={graphOf({ relations: [] })} id="a" onPick={() => {}} />)
  expect(screen.getByText('No relations in this part of the graph')).toBeTruthy()
})

test('the filters can be collapsed', async () => {
  const onToggle = vi.fn()
  const { user } = await show(
    <FilterPanel open={false} entityCount={3} onToggle={onToggle} controls={<p>Controls</p>}>
      <p>Filters</p>
    </FilterPanel>,
  )
  expect(screen.queryByText('Filters')).toBeNull()
  expect(button('Show filters').getAttribute('aria-expanded')).toBe('false')
  await user.click(button('Show filters'))
  expect(onToggle).toHaveBeenCalledOnce()
})

test('an entity is found on the server, whether or not the graph shows it', async () => {
  const entities = [entityOf('Engine')]
  const server = serve({ listEntities: { entities, total: 1, nextCursor: null } })
  const onPick = vi.fn()
  const { user } = await show(<NodeSearch onPick={onPick} />)
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search nodes' })
  await user.type(field, 'eng')
  await waitFor(() => expect(server.callsOf('listEntities').at(-1)?.query.query).toBe('eng'))
  await user.click(await screen.findByRole('option', { name: 'Engine' }))
  expect(onPick).toHaveBeenCalledExactlyOnceWith('ent_engine')
  expect(field.value).toBe('')
})

test('a search for a missing node says so', async () => {
  serve({ listEntities: { entities: [], total: 0, nextCursor: null } })
  const { user } = await show(<NodeSearch onPick={() => {}} />)
  await user.type(screen.getByRole('combobox', { name: 'Search nodes' }), 'xyz')
  expect(await screen.findByText('No nodes found')).toBeTruthy()
})

const view: SavedView = {
  id: 'view_1',
  name: 'Machines',
  search: 'hidden=project',
  createdBy: { name: 'Ada' },
  createdAt: storedAt,
  updatedAt: storedAt,
}

async function showViews({ mayWrite = true } = {}) {
  const onOpen = vi.fn()
  const shown = await show(
    <ViewsMenu drawing={undefined} search="hidden=machine" mayWrite={mayWrite} onOpen={onOpen} />,
  )
  const open = () => shown.user.click(button('Views'))
  await open()
  return { ...shown, open, onOpen }
}

test('a saved view is opened', async () => {
  serve({ listViews: { views: [view] } })
  const { user, onOpen } = await showViews()
  await user.click(await screen.findByRole('menuitem', { name: 'Machines' }))
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(view)
})

test('a viewer opens and shares views, but changes none', async () => {
  serve({ listViews: { views: [view] } })
  await showViews({ mayWrite: false })
  await screen.findByRole('menuitem', { name: 'Machines' })
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Machines', 'Copy link'])
  expect(screen.queryByRole('button', { name: 'Delete: Machines' })).toBeNull()
})

test('a view is saved under a name, and a taken name is reported at its field', async () => {
  const server = serve({
    listViews: { views: [] },
    createView: new Refusal('view_name_taken', 'There is a view of this name'),
  })
  const { user } = await showViews()
  expect(await screen.findByText('No saved views yet')).toBeTruthy()
  await user.click(screen.getByRole('menuitem', { name: 'Save this view' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.type(dialog.getByLabelText('Name'), ' Machines {Enter}')
  expect(await dialog.findByText('There is a view of this name')).toBeTruthy()
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe(' Machines ')
  server.answer({ createView: { view } })
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.callsOf('createView').at(-1)?.body).toMatchObject({
    name: 'Machines',
    search: 'hidden=machine',
  })
})

test('renaming a view starts from its present name', async () => {
  const server = serve({ listViews: { views: [view] }, updateView: { view } })
  const { user } = await showViews()
  await user.click(await screen.findByRole('button', { name: 'Rename: Machines' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename view' }))
  expect(screen.queryByRole('menu'), 'it would take the focus back').toBeNull()
  await user.type(dialog.getByLabelText('Name'), ' 2{Enter}')
  await waitFor(() => expect(server.callsOf('updateView')).toHaveLength(1))
  expect(server.callsOf('updateView')[0]).toMatchObject({
    params: { id: 'view_1' },
    body: { name: 'Machines 2' },
  })
})

test('a replaced view can be restored', async () => {
  const server = serve({ listViews: { views: [view] }, updateView: { view } })
  const { user } = await showViews()
  await user.click(await screen.findByRole('button', { name: 'Update to the current view: Machines' }))
  expect(await screen.findByText('View Machines replaced')).toBeTruthy()
  await user.click(button('Undo'))
  await waitFor(() => expect(server.callsOf('updateView')).toHaveLength(2))
  expect(server.callsOf('updateView').map(({ body }) => body)).toEqual([
    { search: 'hidden=machine' },
    { search: 'hidden=project' },
  ])
})

test('a deleted view can be restored from the toast, and a failure says why', async () => {
  const server = serve({ listViews: { views: [view] }, deleteView: undefined, createView: { view } })
  const { user, open } = await showViews()
  await user.click(await screen.findByRole('button', { name: 'Delete: Machines' }))
  expect(await screen.findByText('View deleted')).toBeTruthy()
  await user.click(button('Undo'))
  await waitFor(() => expect(server.callsOf('createView')).toHaveLength(1))
  expect(server.callsOf('createView')[0]?.body).toEqual({ name: 'Machines', search: 'hidden=project' })
  server.answer({ deleteView: new Refusal('view_not_found', 'View not found') })
  if (screen.queryByRole('menuitem', { name: 'Machines' }) === null) await open()
  await user.click(await screen.findByRole('button', { name: 'Delete: Machines' }))
  expect(await screen.findByText('Failed to delete the view')).toBeTruthy()
})

test('Escape in the details deselects, but not from a field', async () => {
  const onClose = vi.fn()
  const { user } = await show(
    <DetailsPanel
      open
      subject="details"
      tall={false}
      phone={false}
      small={false}
      onToggle={vi.fn()}
      onClose={onClose}
    >
      <input aria-label="Note" />
      <button type="button">Pin</button>
    </DetailsPanel>,
  )
  await user.type(screen.getByLabelText('Note'), '{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(button('Pin'))
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})
