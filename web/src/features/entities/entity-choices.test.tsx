// @vitest-environment jsdom
import type { EntityTypeCount } from '@loci/contract/entities'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import type { EntityFilter } from '../../lib/filters.ts'
import { EntityFilters } from './entity-filters.tsx'
import { EntityToolbar, type EntityView, useEntityView } from './entity-toolbar.tsx'
import { MetadataPanel } from './metadata-panel.tsx'
import { TypesDialog } from './types-dialog.tsx'

const types: { types: EntityTypeCount[] } = {
  types: [
    { type: 'machine', label: 'Machine', count: 1_234, colour: 3 },
    { type: 'project', label: 'Project', count: 2, colour: 1 },
  ],
}

const rowOf = (type: string) => {
  const row = screen.getByText(type).closest('li')
  if (row === null) throw new Error(`No row of ${type}`)
  return within(row)
}

async function showTypes() {
  const shown = await show(<TypesDialog opened onClose={() => {}} />)
  await screen.findByRole('list', { name: 'Types' })
  return shown
}

test('each type shows its number of entities', async () => {
  serve({ listEntityTypes: types })
  await showTypes()
  expect(rowOf('machine').getByText('1,234')).toBeTruthy()
})

test('a space without entities says where types come from', async () => {
  serve({ listEntityTypes: { types: [] } })
  await show(<TypesDialog opened onClose={() => {}} />)
  expect(await screen.findByText('No types yet. They appear with the first entities.')).toBeTruthy()
})

test('renaming a type undoes all its change sets, the last one first', async () => {
  const server = serve({
    listEntityTypes: types,
    updateEntityType: {
      type: { type: 'engine', label: 'Engine', count: 1_234, colour: 3 },
      retyped: 1_234,
      setIds: ['set_1', 'set_2'],
    },
    undoChangeSet: { undone: 1, setId: 'set_3' },
  })
  const { user } = await showTypes()
  await user.click(rowOf('machine').getByRole('button', { name: 'Rename machine' }))
  const name = screen.getByLabelText('New name of machine')
  await user.clear(name)
  await user.type(name, ' engine {Enter}')
  expect(await screen.findByText('Type "machine" renamed to "engine"')).toBeTruthy()
  expect(server.callsOf('updateEntityType')).toMatchObject([
    { params: { type: 'machine' }, body: { type: 'engine' } },
  ])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(server.callsOf('undoChangeSet').map(({ params }) => params.setId)).toEqual(['set_2', 'set_1'])
})

test('an unchanged or empty name and Esc leave the type and the dialog as they are', async () => {
  const server = serve({ listEntityTypes: types })
  const onClose = vi.fn()
  const { user } = await show(<TypesDialog opened onClose={onClose} />)
  const rename = () => screen.findByRole('button', { name: 'Rename machine' })
  for (const keys of ['{Enter}', '{Control>}a{/Control}{Backspace}{Enter}', 'x{Escape}']) {
    await user.click(await rename())
    await user.keyboard(keys)
    expect(await rename()).toBeTruthy()
  }
  expect(server.callsOf('updateEntityType')).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
})

test('a refused name stays in its field', async () => {
  serve({ listEntityTypes: types, updateEntityType: new Refusal('forbidden', 'Your role may only read') })
  const { user } = await showTypes()
  await user.click(rowOf('machine').getByRole('button', { name: 'Rename machine' }))
  const name = screen.getByLabelText<HTMLInputElement>('New name of machine')
  await user.type(name, 's{Enter}')
  expect(await screen.findByText('Failed to change the type')).toBeTruthy()
  expect(name.value).toBe('machines')
})

test('another colour is sent, the same one is not', async () => {
  const server = serve({
    listEntityTypes: types,
    updateEntityType: {
      type: { type: 'machine', label: 'Machine', count: 1, colour: 5 },
      retyped: 0,
      setIds: [],
    },
  })
  const { user } = await showTypes()
  const choose = async (colour: string) => {
    await user.click(rowOf('machine').getByRole('button', { name: 'Colour of machine' }))
    const palette = await screen.findByRole('group', { name: 'Colour of machine' })
    await user.click(within(palette).getByRole('button', { name: colour }))
  }
  await choose('Colour 3')
  expect(server.callsOf('updateEntityType')).toEqual([])
  await choose('Colour 5')
  await waitFor(() => expect(server.callsOf('updateEntityType')).toHaveLength(1))
  expect(server.callsOf('updateEntityType')[0]?.body).toEqual({ colour: 5 })
})

test('Esc closes the palette and leaves the dialog open', async () => {
  serve({ listEntityTypes: types })
  const onClose = vi.fn()
  const { user } = await show(<TypesDialog opened onClose={onClose} />)
  await user.click(await screen.findByRole('button', { name: 'Colour of machine' }))
  const palette = await screen.findByRole('group', { name: 'Colour of machine' })
  within(palette).getByRole('button', { name: 'Colour 3' }).focus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Colour of machine' })).toBeNull())
  expect(onClose).not.toHaveBeenCalled()
})

test('the colour of a well-known type is fixed', async () => {
  const known = { type: 'person', label: 'Person', count: 1, colour: 1 }
  serve({ listEntityTypes: { types: [known] } })
  await showTypes()
  const swatch = rowOf('person').getByRole<HTMLButtonElement>('button', { name: 'Colour of person' })
  expect(swatch.disabled).toBe(true)
  expect(swatch.title).toBe('The colour of this type is fixed')
})

function Filters({
  start = {},
  onChange,
}: {
  start?: EntityFilter
  onChange: (filter: EntityFilter) => void
}) {
  const [filter, setFilter] = useState(start)
  const change = (next: EntityFilter) => {
    onChange(next)
    setFilter(next)
  }
  return <EntityFilters filter={filter} onChange={change} onEditTypes={undefined} />
}

const searchField = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search entities' })

test('a search is trimmed, and an empty one searches for nothing', async () => {
  serve({ listEntityTypes: types })
  const onChange = vi.fn()
  const { user } = await show(<Filters onChange={onChange} />)
  await user.type(searchField(), ' brass ')
  expect(onChange).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  expect(onChange).toHaveBeenLastCalledWith({ query: 'brass' })
  expect(searchField().value).toBe('brass')
  await user.clear(searchField())
  await user.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith({ query: undefined })
})

test('a chosen type is combined with the search, and All Types clears it', async () => {
  serve({ listEntityTypes: types })
  const onChange = vi.fn()
  const { user } = await show(<Filters onChange={onChange} />)
  await user.type(searchField(), 'brass')
  const type = screen.getByRole('combobox', { name: 'Entity type' })
  await user.click(type)
  await user.click(await screen.findByRole('option', { name: 'machine (1,234)' }))
  expect(onChange).toHaveBeenLastCalledWith({ query: 'brass', type: 'machine' })
  await user.click(type)
  await user.click(await screen.findByRole('option', { name: 'All Types' }))
  expect(onChange).toHaveBeenLastCalledWith({ query: 'brass', type: undefined })
})

test('an unused type in the address is still shown, with a count of zero', async () => {
  serve({ listEntityTypes: types })
  await show(<Filters start={{ type: 'ghost' }} onChange={() => {}} />)
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Entity type' }).value).toBe('ghost (0)'),
  )
})

test('the past can be filtered by type only', async () => {
  serve({ listEntityTypes: types })
  await show(<Filters start={{ asOf: '2026-01-01T00:00:00.000Z' }} onChange={() => {}} />)
  expect(searchField().disabled).toBe(true)
  expect(searchField().title).toBe('Only the current state can be searched')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Search' }).disabled).toBe(true)
})

test('types can be edited only where that is possible', async () => {
  serve({ listEntityTypes: types })
  const onEditTypes = vi.fn()
  const { user } = await show(<EntityFilters filter={{}} onChange={() => {}} onEditTypes={onEditTypes} />)
  await user.click(screen.getByRole('button', { name: 'Edit types' }))
  expect(onEditTypes).toHaveBeenCalledOnce()
})

function Toolbar({ filter, onFilter }: { filter: EntityFilter; onFilter: (filter: EntityFilter) => void }) {
  const [view, setView] = useEntityView()
  return <EntityToolbar total={1} filter={filter} view={view} onFilter={onFilter} onView={setView} />
}

const sortField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Sort by' })
const viewNow = () => screen.getByRole<HTMLInputElement>('radio', { checked: true }).value as EntityView

test('the chosen view is remembered in this browser', async () => {
  const { user } = await show(<Toolbar filter={{}} onFilter={() => {}} />)
  expect(screen.getByRole('status').textContent).toBe('1 entity')
  expect(viewNow()).toBe('cards')
  await user.click(screen.getByRole('radio', { name: 'Table' }))
  expect(viewNow()).toBe('table')
  expect(localStorage.getItem('loci.entities.view')).toBe('"table"')
})

test('only a search is sorted by relevance', async () => {
  const { user } = await show(<Toolbar filter={{ query: 'brass' }} onFilter={() => {}} />)
  expect(sortField().value).toBe('Relevance')
  await user.click(sortField())
  expect(await screen.findByRole('option', { name: 'Relevance' })).toBeTruthy()
})

test('another order becomes part of the filter', async () => {
  const onFilter = vi.fn()
  const { user } = await show(<Toolbar filter={{ type: 'machine' }} onFilter={onFilter} />)
  await user.click(sortField())
  expect(screen.queryByRole('option', { name: 'Relevance' })).toBeNull()
  await user.click(await screen.findByRole('option', { name: 'Name' }))
  expect(onFilter).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ type: 'machine', sort: 'name' }))
})

test('metadata is shown as text, objects as JSON, and can be edited where that is allowed', async () => {
  const onEdit = vi.fn()
  const metadata = { source: 'interview', pages: 3, draft: false, at: { page: 7 } }
  const { user } = await show(<MetadataPanel metadata={metadata} onEdit={onEdit} />)
  const values = screen.getAllByRole('definition').map((value) => value.textContent)
  expect(values).toEqual(['interview', '3', 'false', '{\n  "page": 7\n}'])
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  expect(onEdit).toHaveBeenCalledOnce()
})

test('missing metadata is described in words', async () => {
  await show(<MetadataPanel metadata={{}} onEdit={undefined} />)
  expect(screen.getByText('No metadata')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
