// @vitest-environment jsdom
import { changeSetHeader } from '@loci/contract/changes'
import type { EntityWithObservations } from '@loci/contract/entities'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve, WithHeaders } from '../../../test/server-double.ts'
import { rowsOf } from '../../lib/pages.ts'
import { queryClient } from '../../lib/query-client.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { useEntities } from './entities.queries.ts'
import { CreateEntityDialog, EditEntityDialog } from './entity-form-dialog.tsx'

const at = '2026-01-05T09:00:00.000Z'

const engine: EntityWithObservations = {
  id: 'ent_1',
  name: 'Engine',
  type: 'project',
  metadata: {},
  observations: [{ id: 'obs_1', content: 'Weaves algebra', createdAt: at }],
  observationsCount: 1,
  createdAt: at,
  updatedAt: at,
}

const types = { types: [{ type: 'project', label: 'project', count: 1, colour: 1 }] }
const stored = (version: string, more: Partial<EntityWithObservations> = {}) =>
  new WithHeaders(
    { etag: version, [changeSetHeader]: 'set_7' },
    { entity: { ...engine, ...more }, similar: [], rivals: [] },
  )

async function showEditor() {
  const onClose = vi.fn()
  const { user } = await show(
    <>
      <EditEntityDialog entityId="ent_1" opened onClose={onClose} />
      <DiscardDialog />
    </>,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Entity' }))
  const name = await dialog.findByLabelText<HTMLInputElement>(/^Name/)
  return { user, dialog, name, onClose }
}

test('an entity is created with trimmed values, and the toast undoes it', async () => {
  const server = serve({
    listEntityTypes: types,
    createEntity: stored('"1"'),
    undoChangeSet: { undone: 1, setId: 'set_8' },
  })
  const onClose = vi.fn()
  const { user } = await show(<CreateEntityDialog opened onClose={onClose} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Entity' }))
  await user.type(dialog.getByLabelText(/^Name/), '  Engine ')
  await user.click(dialog.getByRole('combobox', { name: /^Type/ }))
  await user.click(await screen.findByRole('option', { name: 'project' }))
  await user.click(dialog.getByRole('button', { name: 'Create Entity' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('createEntity')).toMatchObject([
    { body: { name: 'Engine', type: 'project', metadata: {}, observations: [] } },
  ])
  await screen.findByText('Entity created successfully')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(server.callsOf('undoChangeSet')).toMatchObject([{ params: { setId: 'set_7' } }])
})

test('missing and unreadable values are reported at their fields, and nothing is sent', async () => {
  const server = serve({ listEntityTypes: types })
  const { user } = await show(<CreateEntityDialog opened onClose={() => {}} />)
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/^Metadata/), { target: { value: '{"source": ' } })
  await user.click(dialog.getByRole('button', { name: 'Create Entity' }))
  expect(dialog.getByText('Name is required')).toBeTruthy()
  expect(dialog.getByText('Type is required')).toBeTruthy()
  expect(dialog.getByText('Invalid JSON format')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText(/^Name/))
  fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Engine' } })
  await user.type(dialog.getByLabelText(/^Name/), '{Enter}')
  expect(document.activeElement).toBe(dialog.getByRole('combobox', { name: /^Type/ }))
  fireEvent.change(dialog.getByLabelText(/^Metadata/), { target: { value: '[1]' } })
  await user.click(dialog.getByRole('button', { name: 'Create Entity' }))
  expect(dialog.getByText('Metadata must be a JSON object')).toBeTruthy()
  expect(server.callsOf('createEntity')).toEqual([])
})

test('an edit names the version that it started from, and keeps the ids of observations', async () => {
  const server = serve({ listEntityTypes: types, getEntity: stored('"3"'), updateEntity: stored('"4"') })
  const { user, dialog, name, onClose } = await showEditor()
  await user.clear(name)
  await user.type(name, 'Analytical Engine')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const [call] = server.callsOf('updateEntity')
  expect(call?.headers.get('if-match')).toBe('"3"')
  expect(call?.body).toMatchObject({
    name: 'Analytical Engine',
    observations: [{ id: 'obs_1', content: 'Weaves algebra' }],
  })
})

/** The names of the list that lies below the dialog. */
function ListBelow() {
  return <p>Below: {rowsOf(useEntities({}).data).map(({ name }) => name)}</p>
}

test('a list that was being read when an edit was saved does not bring back the old state', async () => {
  const { observations: _, ...listed } = engine
  const listOf = (name: string) => ({ entities: [{ ...listed, name }], total: 1, nextCursor: null })
  const server = serve({
    listEntityTypes: types,
    getEntity: stored('"3"'),
    updateEntity: stored('"4"'),
    listEntities: listOf('Engine'),
  })
  const { user } = await show(
    <>
      <ListBelow />
      <EditEntityDialog entityId="ent_1" opened onClose={() => {}} />
    </>,
  )
  await screen.findByText('Below: Engine')
  const slow = Promise.withResolvers<ReturnType<typeof listOf>>()
  server.answer({ listEntities: () => slow.promise })
  void queryClient.invalidateQueries({ queryKey: queryKeys.entityLists() })
  await waitFor(() => expect(server.callsOf('listEntities')).toHaveLength(2))
  server.answer({ listEntities: listOf('Analytical Engine') })
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(server.callsOf('listEntities').length).toBeGreaterThan(2))
  await act(async () => {
    slow.resolve(listOf('Engine'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  expect(await screen.findByText('Below: Analytical Engine')).toBeTruthy()
})

test('a concurrent change is not overwritten without asking, and what was typed stays', async () => {
  const server = serve({
    listEntityTypes: types,
    getEntity: stored('"3"'),
    updateEntity: new Refusal('stale_write', 'The entity has changed'),
  })
  const { user, dialog, name, onClose } = await showEditor()
  await user.type(name, ' No. 2')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  expect(await dialog.findByText('This entity was changed elsewhere')).toBeTruthy()
  expect(name.value).toBe('Engine No. 2')
  expect(onClose).not.toHaveBeenCalled()
  server.answer({ updateEntity: stored('"5"') })
  await user.click(dialog.getByRole('button', { name: 'Overwrite' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const [, second] = server.callsOf('updateEntity')
  expect(second?.headers.get('if-match')).toBeNull()
  expect(second?.body).toMatchObject({ name: 'Engine No. 2' })
})

test('the latest version can be loaded in place of a stale one', async () => {
  const server = serve({
    listEntityTypes: types,
    getEntity: stored('"3"'),
    updateEntity: new Refusal('stale_write', 'The entity has changed'),
  })
  const { user, dialog, name } = await showEditor()
  await user.type(name, ' No. 2')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  server.answer({ getEntity: stored('"4"', { name: 'Difference Engine' }), updateEntity: stored('"5"') })
  await user.click(await dialog.findByRole('button', { name: 'Load latest' }))
  await waitFor(() =>
    expect(dialog.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Difference Engine'),
  )
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(server.callsOf('updateEntity')).toHaveLength(2))
  expect(server.callsOf('updateEntity')[1]?.headers.get('if-match')).toBe('"4"')
})

test('closing with unsaved text asks first; closing without does not', async () => {
  serve({ listEntityTypes: types, getEntity: stored('"3"') })
  const { user, name, onClose } = await showEditor()
  await user.type(name, '!')
  await user.keyboard('{Escape}')
  const question = within(await screen.findByRole('dialog', { name: 'Discard unsaved changes?' }))
  expect(onClose).not.toHaveBeenCalled()
  await user.click(question.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard unsaved changes?' })).toBeNull())
  expect(name.value).toBe('Engine!')
  await user.type(name, '{Backspace}')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('an entity that fails to load offers to try again', async () => {
  const server = serve({
    listEntityTypes: types,
    getEntity: new Refusal('entity_not_found', 'Entity not found'),
  })
  const { user } = await show(<EditEntityDialog entityId="ent_1" opened onClose={() => {}} />)
  expect(await screen.findByText('Entity not found')).toBeTruthy()
  server.answer({ getEntity: stored('"3"') })
  await user.click(screen.getByRole('button', { name: /try again/i }))
  expect(await screen.findByLabelText(/^Name/)).toBeTruthy()
})
