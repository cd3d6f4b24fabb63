// @vitest-environment jsdom
import type { Relation } from '@loci/contract/relations'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { relationOf, written } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { RelationRow } from './relation-row.tsx'
import { RelationTable } from './relation-table.tsx'
import { RelationshipList } from './relationship-list.tsx'

const engine = { id: 'ent_engine', name: 'Engine', type: 'project' }
const uses = relationOf('Engine', 'uses', 'Loom')
const partOf = relationOf('Mill', 'part_of', 'Engine')
const page = (relations: Relation[] = [uses, partOf], nextCursor: string | null = null) => ({
  relations,
  total: 1_200,
  nextCursor,
})
const none = { relations: [], total: 0, nextCursor: null }

const namesIn = async (label: string) =>
  within(await screen.findByRole('list', { name: label }))
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

test('relationships are grouped by type and direction, and lead to the other entity', async () => {
  serve({ listRelations: page() })
  await show(<RelationshipList entity={engine} />)
  expect(await namesIn('Uses outgoing')).toEqual(['/entities/ent_loom'])
  expect(await namesIn('Part of incoming')).toEqual(['/entities/ent_mill'])
  expect(screen.getByText('1,200')).toBeTruthy()
})

test('a relationship that its reader proposed waits for a review, and cannot be removed', async () => {
  serve({ listRelations: page([{ ...uses, proposed: true }, partOf]) })
  await show(<RelationshipList entity={engine} />)
  const [waiting, stored] = await screen.findAllByRole('listitem')
  expect(within(waiting!).getByText('waits for review')).toBeTruthy()
  expect(within(waiting!).queryByRole('button')).toBeNull()
  expect(within(stored!).queryByText('waits for review')).toBeNull()
  expect(within(stored!).getByRole('button')).toBeTruthy()
})

test('a relationship is removed, and its removal can be undone', async () => {
  const server = serve({ listRelations: page(), deleteRelation: written(undefined) })
  const { user } = await show(<RelationshipList entity={engine} />)
  await user.click(await screen.findByRole('button', { name: 'Remove relationship with Mill' }))
  expect(await screen.findByText('Relation deleted successfully')).toBeTruthy()
  expect(server.callsOf('deleteRelation')).toMatchObject([{ params: { id: partOf.id } }])
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

test('a viewer reads relationships and changes none', async () => {
  serve({ listRelations: page() })
  await show(<RelationshipList entity={engine} />, { as: personAs('viewer') })
  await namesIn('Uses outgoing')
  expect(screen.queryByRole('button')).toBeNull()
})

test('the form to add one replaces its button until it is closed', async () => {
  serve({
    listRelations: none,
    listRelationTypes: { types: [] },
    listEntities: { entities: [], total: 0, nextCursor: null },
  })
  const { user } = await show(<RelationshipList entity={engine} />)
  expect(await screen.findByText('No relationships found')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add relationship' }))
  expect(screen.queryByRole('button', { name: 'Add relationship' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('button', { name: 'Add relationship' })).toBeTruthy()
})

test('a failure to load relationships can be retried, and does not look like an empty list', async () => {
  const server = serve({ listRelations: new Refusal('forbidden', 'No') })
  const { user } = await show(<RelationshipList entity={engine} />)
  expect((await screen.findByRole('alert')).textContent).toContain('Relationships could not be loaded')
  expect(screen.queryByText('No relationships found')).toBeNull()
  server.answer({ listRelations: page() })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await namesIn('Uses outgoing')).toHaveLength(1)
})

test('a failed next page keeps the first one, and only it is requested again', async () => {
  const server = serve({
    listRelations: ({ query }) =>
      query.cursor === undefined ? page([uses], 'next') : new Refusal('invalid_cursor', 'No'),
  })
  const { user } = await show(<RelationshipList entity={engine} />)
  await user.click(await screen.findByRole('button', { name: 'Show more' }))
  expect((await screen.findByRole('alert')).textContent).toContain('More relationships could not be loaded')
  expect(await namesIn('Uses outgoing')).toHaveLength(1)
  server.answer({ listRelations: page([partOf]) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await namesIn('Part of incoming')).toHaveLength(1)
  expect(server.callsOf('listRelations').at(-1)?.query.cursor).toBe('next')
})

const row = (onAction = vi.fn(), relation: Relation = uses) => (
  <table>
    <tbody>
      <RelationRow relation={relation} rowIndex={2} onAction={onAction} />
    </tbody>
  </table>
)

test('a row reads as a sentence whose ends lead to their entities', async () => {
  await show(row())
  expect(
    screen
      .getAllByRole('cell')
      .slice(0, 3)
      .map((cell) => cell.textContent),
  ).toEqual(['Engine', 'Uses', 'Loom'])
  expect(screen.getByRole('link', { name: 'Loom' }).getAttribute('href')).toBe('/entities/ent_loom')
  expect(screen.getByRole('link', { name: 'Loom' }).title).toBe('Loom (project)')
})

test('a row that its reader proposed says that it waits, and has no actions', async () => {
  await show(row(vi.fn(), { ...uses, proposed: true }))
  expect(within(screen.getAllByRole('cell')[0]!).getByText('waits for review')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('the actions of a row name their relation', async () => {
  const onAction = vi.fn()
  const { user } = await show(row(onAction))
  const act = async (name: string) => {
    await user.click(screen.getByRole('button', { name: 'Relation actions' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  await act('Edit Relation')
  await act('Delete Relation')
  expect(onAction.mock.calls).toEqual([
    ['edit', uses],
    ['delete', uses],
  ])
})

test('a viewer cannot open the actions of a row', async () => {
  await show(row(), { as: personAs('viewer') })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Relation actions' }).disabled).toBe(true)
})

const table = (filter = {}, onCreate = vi.fn()) => (
  <RelationTable
    filter={filter}
    onAction={() => {}}
    onCreate={onCreate}
    beginnings={<p>Other beginnings</p>}
  />
)

test('the table counts all relations, loaded or not', async () => {
  serve({ listRelations: page() })
  await show(table())
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1,200 relations'))
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1201')
})

test('an empty memory offers to create the first relation', async () => {
  serve({ listRelations: none })
  const onCreate = vi.fn()
  const { user } = await show(table({}, onCreate))
  await user.click(await screen.findByRole('button', { name: 'Create Relation' }))
  expect(onCreate).toHaveBeenCalledOnce()
  expect(screen.getByText('Other beginnings')).toBeTruthy()
})

test('a viewer of an empty memory is offered nothing', async () => {
  serve({ listRelations: none })
  await show(table(), { as: personAs('viewer') })
  expect(await screen.findByText('Nothing is stored here yet.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByText('Other beginnings')).toBeNull()
})

test('a filter without matches offers to clear it, and nothing to create', async () => {
  serve({ listRelations: none })
  const { user, address } = await show(table({ query: 'brass' }), { at: '/relations?query=brass' })
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy()
  expect(screen.queryByText('Other beginnings')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Clear Filters' }))
  expect(address()).toBe('/relations')
})

test('a past without relations says that there were none', async () => {
  serve({ listRelations: none })
  await show(table({ asOf: '2026-01-01T00:00:00.000Z' }))
  expect(await screen.findByText('There were none at that time.')).toBeTruthy()
})

test('a failure to load relations says why, and can be retried', async () => {
  const server = serve({ listRelations: new Refusal('forbidden', 'This space is closed') })
  const { user } = await show(table())
  expect(await screen.findByText('This space is closed')).toBeTruthy()
  server.answer({ listRelations: page() })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1,200 relations')).toBeTruthy()
})
