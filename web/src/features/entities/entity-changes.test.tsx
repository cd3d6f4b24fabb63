// @vitest-environment jsdom
import type { Entity } from '@loci/contract/entities'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { entityWith, written } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { hasUnsaved } from '../../lib/unsaved.ts'
import { DeleteEntityDialog } from './delete-entity-dialog.tsx'
import { EntityAliases } from './entity-aliases.tsx'
import { type EntityAction, EntityMenu } from './entity-menu.tsx'
import { EntityTitle } from './entity-title.tsx'
import { MergeDialog } from './merge-dialog.tsx'

const engine = entityWith('Engine', ['Weaves algebra', 'Is of brass'], { aliases: ['Mill'] })
const loom = entityWith('Loom', ['Weaves algebra'], { aliases: ['Jacquard'] })

const answerWith = (entity: typeof engine) => written({ entity, rivals: [] })

test.each([
  ['viewer', ['View Details']],
  ['member', ['View Details', 'Edit Entity', 'Delete Entity']],
] as const)('a %s is offered %j for an entity', async (role, offered) => {
  const onAction = vi.fn<(action: EntityAction, entity: Entity) => void>()
  const { user } = await show(<EntityMenu entity={engine} onAction={onAction} />, { as: personAs(role) })
  await user.click(screen.getByRole('button', { name: 'Entity actions' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(offered)
  await user.click(items.at(-1)!)
  expect(onAction).toHaveBeenCalledExactlyOnceWith(role === 'viewer' ? 'view' : 'delete', engine)
})

test('the past is read-only for everybody', async () => {
  const { user } = await show(<EntityMenu entity={engine} onAction={() => {}} />, {
    at: '/entities?asOf=2026-01-01T00:00:00.000Z',
  })
  await user.click(screen.getByRole('button', { name: 'Entity actions' }))
  expect(await screen.findAllByRole('menuitem')).toHaveLength(1)
})

test('an entity is deleted only after the question, and its page is notified', async () => {
  const server = serve({ deleteEntity: written(undefined) })
  const [onClose, onDeleted] = [vi.fn(), vi.fn()]
  const { user } = await show(
    <DeleteEntityDialog entity={engine} opened onClose={onClose} onDeleted={onDeleted} />,
  )
  const question = within(await screen.findByRole('dialog', { name: 'Delete Entity' }))
  expect(question.getByText('Engine')).toBeTruthy()
  expect(server.calls).toEqual([])
  await user.click(question.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce())
  expect(onClose).toHaveBeenCalledOnce()
  expect(screen.getByText('Entity deleted successfully')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

test('a failed deletion says so and leaves the question open', async () => {
  serve({ deleteEntity: new Refusal('entity_not_found', 'Entity not found') })
  const [onClose, onDeleted] = [vi.fn(), vi.fn()]
  const { user } = await show(
    <DeleteEntityDialog entity={engine} opened onClose={onClose} onDeleted={onDeleted} />,
  )
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Failed to delete entity')).toBeTruthy()
  expect(screen.getByText('Entity not found')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  expect(onDeleted).not.toHaveBeenCalled()
})

async function showMerge(otherId: string | undefined) {
  const onMerged = vi.fn()
  const { user } = await show(
    <MergeDialog
      opened
      entity={engine}
      otherId={otherId}
      picker={<span>Picker</span>}
      onClose={() => {}}
      onMerged={onMerged}
    />,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge Entities' }))
  return { user, dialog, onMerged, merge: dialog.getByRole<HTMLButtonElement>('button', { name: 'Merge' }) }
}

test('there is nothing to merge before the other entity is chosen', async () => {
  const { merge, dialog } = await showMerge(undefined)
  expect(merge.disabled).toBe(true)
  expect(dialog.queryByRole('radio')).toBeNull()
})

test('a merge shows its result for either choice, and sends the one to remove', async () => {
  const server = serve({
    getEntity: { entity: loom },
    mergeEntity: { setId: 'set_1', entity: loom },
  })
  const { user, dialog, merge, onMerged } = await showMerge('ent_loom')
  await dialog.findByRole('radio', { name: /Loom/ })
  const words = () => dialog.getByRole('status').textContent
  expect(words()).toBe(
    'Engine will have 2 observations (1 duplicate is left out), the relations of both, ' +
      'and the aliases Mill, Loom, Jacquard.',
  )
  await user.click(dialog.getByRole('radio', { name: /Loom/ }))
  expect(words()).toMatch(/^Loom will have 2 observations .* Jacquard, Engine, Mill\.$/)
  await user.click(merge)
  await waitFor(() => expect(onMerged).toHaveBeenCalledExactlyOnceWith('ent_loom'))
  expect(server.callsOf('mergeEntity')).toMatchObject([
    { params: { id: 'ent_engine' }, body: { into: 'ent_loom' } },
  ])
  expect(screen.getByText('Entities merged')).toBeTruthy()
})

test('a refused merge says why in its dialog', async () => {
  serve({
    getEntity: { entity: loom },
    mergeEntity: new Refusal('same_entity', 'Both are the same entity'),
  })
  const { user, dialog, merge, onMerged } = await showMerge('ent_loom')
  await dialog.findByRole('radio', { name: /Loom/ })
  await user.click(merge)
  expect((await dialog.findByRole('alert')).textContent).toContain('Both are the same entity')
  expect(onMerged).not.toHaveBeenCalled()
})

test('a failure to load the other entity can be retried', async () => {
  const server = serve({ getEntity: new Refusal('entity_not_found', 'Entity not found') })
  const { user, dialog } = await showMerge('ent_loom')
  expect(await dialog.findByText('Failed to load entity data')).toBeTruthy()
  server.answer({ getEntity: { entity: loom } })
  await user.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByRole('radio', { name: /Loom/ })).toBeTruthy()
})

async function showRenaming() {
  const screenOf = await show(<EntityTitle entity={engine} version={'"3"'} isReadOnly={false} />)
  await screenOf.user.click(screen.getByRole('button', { name: 'Rename entity' }))
  return { ...screenOf, name: screen.getByLabelText<HTMLInputElement>('Name') }
}

test('the past has a title and nothing to rename', async () => {
  await show(<EntityTitle entity={engine} version={null} isReadOnly />)
  expect(screen.getByRole('heading', { name: 'Engine' })).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a name is changed in place, based on the version that was shown', async () => {
  const server = serve({ updateEntity: answerWith(engine) })
  const { user, name } = await showRenaming()
  await user.clear(name)
  expect(screen.getByText('Name is required')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.type(name, ' Difference Engine {Enter}')
  expect(await screen.findByText('Entity renamed')).toBeTruthy()
  const [call] = server.callsOf('updateEntity')
  expect(call?.body).toEqual({ name: 'Difference Engine', type: 'project' })
  expect(call?.headers.get('if-match')).toBe('"3"')
  expect(screen.queryByLabelText('Name')).toBeNull()
})

test('an unchanged name is not sent, and Esc gives up', async () => {
  const server = serve({})
  const { user, name } = await showRenaming()
  await user.type(name, ' {Enter}')
  expect(screen.getByRole('button', { name: 'Rename entity' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Rename entity' }))
  await user.keyboard('Loom')
  expect(hasUnsaved()).toBe(true)
  await user.keyboard('{Escape}')
  expect(screen.getByRole('heading', { name: 'Engine' })).toBeTruthy()
  expect(hasUnsaved()).toBe(false)
  expect(server.calls).toEqual([])
})

test('a taken name and a concurrent change are reported at the field, which keeps its text', async () => {
  const server = serve({ updateEntity: new Refusal('entity_name_taken', 'This name is taken') })
  const { user, name } = await showRenaming()
  await user.clear(name)
  await user.type(name, 'Loom{Enter}')
  expect(await screen.findByText('This name is taken')).toBeTruthy()
  server.answer({ updateEntity: new Refusal('stale_write', 'The entity has changed') })
  await user.type(name, '{Enter}')
  expect(await screen.findByText('This was changed elsewhere. Save again to overwrite it.')).toBeTruthy()
  expect(name.value).toBe('Loom')
})

function Aliases({ aliases, isReadOnly = false }: { aliases: string[]; isReadOnly?: boolean }) {
  const [isAdding, setAdding] = useState(false)
  const entity = { ...engine, aliases }
  return (
    <EntityAliases
      entity={entity}
      version={'"3"'}
      isReadOnly={isReadOnly}
      isAdding={isAdding}
      onAdding={setAdding}
    />
  )
}

test('an alias is added to the others, and one is removed from them', async () => {
  const server = serve({
    updateEntity: answerWith(engine),
    listChanges: { changes: [], nextCursor: null },
  })
  const { user } = await show(<Aliases aliases={['Mill', 'Store']} />)
  await user.click(screen.getByRole('button', { name: 'Add alias' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true)
  await user.type(screen.getByLabelText('New alias'), ' No. 2 {Enter}')
  expect(await screen.findByText('Alias added')).toBeTruthy()
  expect(screen.queryByLabelText('New alias')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove alias Mill' }))
  expect(await screen.findByText('Alias removed')).toBeTruthy()
  expect(server.callsOf('updateEntity').map(({ body }) => body)).toMatchObject([
    { aliases: ['Mill', 'Store', 'No. 2'] },
    { aliases: ['Store'] },
  ])
})

test('twelve aliases are shown, the others on request', async () => {
  const aliases = Array.from({ length: 15 }, (_, index) => `Name ${index}`)
  const { user } = await show(<Aliases aliases={aliases} isReadOnly />)
  expect(screen.getAllByText(/^Name/)).toHaveLength(12)
  await user.click(screen.getByRole('button', { name: '3 more' }))
  expect(screen.getAllByText(/^Name/)).toHaveLength(15)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a taken alias is reported at its field', async () => {
  serve({ updateEntity: new Refusal('entity_name_taken', 'Another entity has this name') })
  const { user } = await show(<Aliases aliases={['Mill']} />)
  await user.click(screen.getByRole('button', { name: 'Add alias' }))
  await user.type(screen.getByLabelText('New alias'), 'Loom{Enter}')
  expect(await screen.findByText('Another entity has this name')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('New alias').value).toBe('Loom')
  await user.keyboard('{Escape}')
  expect(screen.queryByLabelText('New alias')).toBeNull()
})

test('without aliases and the right to add them, nothing is shown', async () => {
  await show(<Aliases aliases={[]} />)
  expect(screen.queryByText('Also known as')).toBeNull()
})
