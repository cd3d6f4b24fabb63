// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { entityOf, relationOf, written } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { AddRelationship } from './add-relationship.tsx'
import { CreateRelationDialog, DeleteRelationDialog, EditRelationDialog } from './relation-dialogs.tsx'
import { RelationFilters } from './relation-filters.tsx'

const uses = relationOf('Engine', 'uses', 'Loom')
const types = { types: [{ type: 'part-of', label: 'Part of', count: 1_500 }] }
const entities = { entities: [entityOf('Engine'), entityOf('Loom')], total: 2, nextCursor: null }
const answers = { listRelationTypes: types, listEntities: entities }

type Form = ReturnType<typeof within>
type User = Awaited<ReturnType<typeof show>>['user']

async function choose(user: User, form: Form, field: RegExp, option: string | RegExp) {
  await user.click(form.getByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}

async function showCreate() {
  const onClose = vi.fn()
  const { user } = await show(
    <>
      <CreateRelationDialog opened onClose={onClose} />
      <DiscardDialog />
    </>,
  )
  return { user, onClose, form: within(await screen.findByRole('dialog', { name: 'Create New Relation' })) }
}

test('a relation needs both ends and a type before anything is sent', async () => {
  const server = serve(answers)
  const { user, form } = await showCreate()
  await user.click(form.getByRole('button', { name: 'Create Relation' }))
  for (const text of ['Source entity', 'Target entity', 'Relation type'])
    expect(form.getByText(`${text} is required`)).toBeTruthy()
  expect(document.activeElement).toBe(form.getByRole('combobox', { name: /^From Entity/ }))
  expect(server.callsOf('createRelation')).toEqual([])
})

test('a relation is created between two entities that are searched for by name', async () => {
  const server = serve({ ...answers, createRelation: written({ relation: uses }) })
  const { user, form, onClose } = await showCreate()
  await user.type(form.getByRole('combobox', { name: /^From Entity/ }), 'eng')
  await waitFor(() => expect(server.callsOf('listEntities').at(-1)?.query.query).toBe('eng'))
  await user.click(await screen.findByRole('option', { name: /Engine/ }))
  await user.click(form.getByRole('combobox', { name: /^To Entity/ }))
  const engine = await screen.findByRole('option', { name: /Engine/ })
  expect(engine.getAttribute('data-combobox-disabled')).toBe('true')
  await user.click(screen.getByRole('option', { name: /Loom/ }))
  await choose(user, form, /^Relation Type/, 'Uses')
  await user.click(form.getByRole('button', { name: 'Create Relation' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('createRelation')).toMatchObject([
    { body: { fromEntityId: 'ent_engine', toEntityId: 'ent_loom', type: 'uses' } },
  ])
  expect(await screen.findByText('Relation created successfully')).toBeTruthy()
})

test('while a search is under way, nothing can be picked that has not the typed text in its name', async () => {
  const never = new Promise<never>(() => {})
  serve({ ...answers, listEntities: ({ query }) => (query.query ? never : entities) })
  const { user, form } = await showCreate()
  const field = form.getByRole('combobox', { name: /^To Entity/ })
  await user.click(field)
  expect(await screen.findByRole('option', { name: /Engine/ })).toBeTruthy()
  await user.type(field, 'loo')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Loomproject'])
  await user.type(field, 'x')
  expect(screen.queryByRole('option')).toBeNull()
  expect(screen.getByText('Searching...')).toBeTruthy()
})

test('what is typed is picked by Enter as soon as it is found', async () => {
  serve({
    ...answers,
    listEntities: ({ query }) => (query.query ? { ...entities, entities: [entityOf('Loom')] } : entities),
  })
  const { user, form } = await showCreate()
  const field = form.getByRole<HTMLInputElement>('combobox', { name: /^To Entity/ })
  await user.type(field, 'lo')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
  await waitFor(() => expect(screen.getByRole('option').getAttribute('data-combobox-selected')).toBe('true'))
  await user.keyboard('{Enter}')
  expect(field.value).toBe('Loom')
  expect(form.queryByText('Target entity is required')).toBeNull()
})

test('two types that read the same are distinguished by their spelling', async () => {
  serve(answers)
  const { user, form } = await showCreate()
  await user.click(form.getByRole('combobox', { name: /^Relation Type/ }))
  expect(await screen.findByRole('option', { name: 'Part of' })).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Part of (part-of)' })).toBeTruthy()
})

test('closing a partly filled form asks first', async () => {
  serve(answers)
  const { user, form, onClose } = await showCreate()
  await choose(user, form, /^Relation Type/, 'Uses')
  await user.keyboard('{Escape}')
  const question = within(await screen.findByRole('dialog', { name: 'Discard unsaved changes?' }))
  expect(onClose).not.toHaveBeenCalled()
  await user.click(question.getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

async function showEdit() {
  const onClose = vi.fn()
  const { user } = await show(<EditRelationDialog opened relation={uses} onClose={onClose} />)
  return { user, onClose, form: within(await screen.findByRole('dialog', { name: 'Edit Relation' })) }
}

test('only the type of a relation can be changed', async () => {
  const server = serve({ ...answers, updateRelation: written({ relation: uses }, 'set_4') })
  const { user, form, onClose } = await showEdit()
  for (const [end, name] of [
    ['From Entity', 'Engine'],
    ['To Entity', 'Loom'],
  ] as const) {
    const field = form.getByRole<HTMLInputElement>('combobox', { name: new RegExp(`^${end}`) })
    expect([field.disabled, field.value]).toEqual([true, name])
  }
  await choose(user, form, /^Relation Type/, 'Enables')
  await user.click(form.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('updateRelation')).toMatchObject([
    { params: { id: uses.id }, body: { type: 'enables' } },
  ])
  expect(await screen.findByText('Relation updated successfully')).toBeTruthy()
})

test('a duplicate relation is refused in the form, which stays as it is', async () => {
  serve({ ...answers, updateRelation: new Refusal('relation_exists', 'This relation exists already') })
  const { user, form, onClose } = await showEdit()
  await choose(user, form, /^Relation Type/, 'Enables')
  await user.click(form.getByRole('button', { name: 'Save Changes' }))
  expect((await form.findByRole('alert')).textContent).toContain('This relation exists already')
  expect(form.getByRole<HTMLInputElement>('combobox', { name: /^Relation Type/ }).value).toBe('Enables')
  expect(onClose).not.toHaveBeenCalled()
})

test('a relation is deleted only after a question that names it', async () => {
  const server = serve({ deleteRelation: written(undefined) })
  const onClose = vi.fn()
  const { user } = await show(<DeleteRelationDialog opened relation={uses} onClose={onClose} />)
  const question = await screen.findByRole('dialog', { name: 'Delete Relation' })
  expect(question.textContent).toContain('delete the relation "Engine uses Loom"?')
  expect(server.calls).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(await screen.findByText('Relation deleted successfully')).toBeTruthy()
})

test('a failed deletion says why and leaves the question open', async () => {
  serve({ deleteRelation: new Refusal('relation_not_found', 'Relation not found') })
  const onClose = vi.fn()
  const { user } = await show(<DeleteRelationDialog opened relation={uses} onClose={onClose} />)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Relation not found')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

const engine = { id: 'ent_engine', name: 'Engine', type: 'project' }

test('an incoming relationship has this entity at its end', async () => {
  const server = serve({ ...answers, createRelation: written({ relation: uses }) })
  const onClose = vi.fn()
  const { user } = await show(<AddRelationship entity={engine} onClose={onClose} />)
  const form = within(document.body)
  await user.click(form.getByRole('radio', { name: 'incoming' }))
  await user.click(form.getByRole('button', { name: 'Create Relation' }))
  expect(form.getByText('Source entity is required')).toBeTruthy()
  await choose(user, form, /^From Entity/, /^Loom/)
  await choose(user, form, /^Relation Type/, 'Uses')
  await user.click(form.getByRole('button', { name: 'Create Relation' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('createRelation')).toMatchObject([
    { body: { fromEntityId: 'ent_loom', toEntityId: 'ent_engine', type: 'uses' } },
  ])
})

test('a refused relationship says why above its buttons', async () => {
  serve({ ...answers, createRelation: new Refusal('relation_exists', 'This relation exists already') })
  const onClose = vi.fn()
  const { user } = await show(<AddRelationship entity={engine} onClose={onClose} />)
  const form = within(document.body)
  await choose(user, form, /^To Entity/, /^Loom/)
  await choose(user, form, /^Relation Type/, 'Uses')
  await user.click(form.getByRole('button', { name: 'Create Relation' }))
  expect((await screen.findByRole('alert')).textContent).toContain('This relation exists already')
  expect(onClose).not.toHaveBeenCalled()
})

test('typed text becomes a filter after a pause, trimmed and only once', async () => {
  serve({ listRelationTypes: types })
  const onChange = vi.fn()
  const { user } = await show(<RelationFilters filter={{ type: 'uses' }} onChange={onChange} />)
  await user.type(screen.getByRole('searchbox', { name: 'Search relations' }), 'loom ')
  await waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith({ type: 'uses', query: 'loom' }))
})

test('relation types are shown in words, with their counts', async () => {
  serve({ listRelationTypes: types })
  const onChange = vi.fn()
  const { user } = await show(<RelationFilters filter={{}} onChange={onChange} />)
  await user.click(screen.getByRole('combobox', { name: 'Relation type' }))
  await user.click(await screen.findByRole('option', { name: 'Part of (1,500)' }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ query: undefined, type: 'part-of' })
})

test('the past cannot be searched', async () => {
  serve({ listRelationTypes: types })
  await show(<RelationFilters filter={{ asOf: '2026-01-01T00:00:00.000Z' }} onChange={() => {}} />)
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  expect([field.disabled, field.title]).toEqual([true, 'Only the current state can be searched'])
})
