// @vitest-environment jsdom
import type { Observation } from '@loci/contract/observations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { observationOf, written } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { hasUnsaved } from '../../lib/unsaved.ts'
import { ObservationEditor } from './observation-editor.tsx'
import { ObservationPanel } from './observation-panel.tsx'
import { ObservationRow } from './observation-row.tsx'

const claude = { kind: 'api_key', id: 'key_1', name: 'Laptop', client: 'Claude' } as const
const ada = { kind: 'session', id: 'usr_ada', name: 'Ada' } as const
const brass = observationOf('obs_1', 'Is of brass', { by: ada })
const weaves = observationOf('obs_2', 'Weaves algebra', { by: claude, createdAt: '2026-01-06T09:00:00.000Z' })
const hums = observationOf('obs_3', 'Hums', { by: claude, createdAt: '2026-01-06T10:00:00.000Z' })
const three = [brass, weaves, hums]

const panel = (observations: Observation[], isReadOnly = false) => (
  <ObservationPanel entityId="ent_1" observations={observations} isReadOnly={isReadOnly} />
)
const textsShown = () =>
  screen.getAllByText(/^(Is of brass|Weaves algebra|Hums)$/).map((text) => text.textContent)

test('observations are listed newest first under their days, or oldest first', async () => {
  const { user } = await show(panel(three))
  expect(screen.getAllByRole('heading', { level: 3 }).map((day) => day.textContent)).toEqual([
    'Tue, 6 Jan',
    'Mon, 5 Jan',
  ])
  expect(textsShown()).toEqual(['Hums', 'Weaves algebra', 'Is of brass'])
  await user.selectOptions(screen.getByLabelText('Order'), 'Oldest')
  expect(textsShown()).toEqual(['Is of brass', 'Weaves algebra', 'Hums'])
})

test('one of several writers can be chosen, with the number of their observations', async () => {
  const { user } = await show(panel(three))
  await user.selectOptions(screen.getByLabelText('Agent'), 'Claude (2)')
  expect(textsShown()).toEqual(['Hums', 'Weaves algebra'])
  await user.selectOptions(screen.getByLabelText('Agent'), 'Agent: All')
  expect(textsShown()).toHaveLength(3)
})

test('one observation by one writer leaves nothing to choose', async () => {
  await show(panel([brass]))
  expect(screen.queryByLabelText('Agent')).toBeNull()
  expect(screen.queryByLabelText('Order')).toBeNull()
})

test('an entity without observations says so, and offers to add the first', async () => {
  await show(panel([]))
  expect(screen.getByText('No observations found')).toBeTruthy()
  expect(screen.getByLabelText('New observation')).toBeTruthy()
})

test('the past can only be read and copied', async () => {
  await show(panel([brass], true))
  expect(screen.queryByLabelText('New observation')).toBeNull()
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy observation',
  ])
})

test('an observation is deleted at once, and can be restored from the toast', async () => {
  const server = serve({
    deleteObservation: written(undefined, 'set_5'),
    undoChangeSet: { undone: 1, setId: 'set_6' },
  })
  const { user } = await show(panel([brass]))
  await user.click(screen.getByRole('button', { name: 'Delete observation' }))
  expect(await screen.findByText('Observation deleted')).toBeTruthy()
  expect(server.callsOf('deleteObservation')).toMatchObject([
    { params: { id: 'ent_1', observationId: 'obs_1' } },
  ])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(server.callsOf('undoChangeSet')).toMatchObject([{ params: { setId: 'set_5' } }])
})

test('a failed deletion says why', async () => {
  serve({ deleteObservation: new Refusal('observation_not_found', 'Observation not found') })
  const { user } = await show(panel([brass]))
  await user.click(screen.getByRole('button', { name: 'Delete observation' }))
  expect(await screen.findByText('Failed to delete observation')).toBeTruthy()
  expect(screen.getByText('Observation not found')).toBeTruthy()
})

test('only one observation is edited at a time', async () => {
  const { user } = await show(panel([brass, weaves]))
  await user.click(screen.getAllByRole('button', { name: 'Edit observation' })[0]!)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Observation text').value).toBe('Weaves algebra')
  await user.click(screen.getByRole('button', { name: 'Edit observation' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Observation text').value).toBe('Is of brass')
})

test('metadata and corrections are marked, and a writer is named', async () => {
  const observation = { ...weaves, updatedAt: '2026-01-07T09:00:00.000Z', metadata: { page: 7 } }
  await show(<ObservationRow entityId="ent_1" observation={observation} isReadOnly onEdit={() => {}} />)
  for (const text of ['edited', 'Has metadata', 'Claude']) expect(screen.getByText(text)).toBeTruthy()
})

test('an observation without metadata or corrections has no marks', async () => {
  const observation = { ...weaves, metadata: {} }
  await show(<ObservationRow entityId="ent_1" observation={observation} isReadOnly onEdit={() => {}} />)
  expect(screen.queryByText('edited')).toBeNull()
  expect(screen.queryByText('Has metadata')).toBeNull()
})

test('a very long observation is shortened until all of it is requested', async () => {
  const observation = observationOf('obs_1', `${'brass '.repeat(400)}the end`)
  const { user } = await show(
    <ObservationRow entityId="ent_1" observation={observation} isReadOnly onEdit={() => {}} />,
  )
  expect(screen.queryByText(/the end/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(screen.getByText(/the end/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
})

test('the text is copied as it is stored', async () => {
  const { user } = await show(
    <ObservationRow
      entityId="ent_1"
      observation={observationOf('obs_1', '**Brass**, by Ada')}
      isReadOnly
      onEdit={() => {}}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Copy observation' }))
  expect(await navigator.clipboard.readText()).toBe('**Brass**, by Ada')
})

async function showEditor(current: Observation | undefined = brass) {
  const onClose = vi.fn()
  const { user } = await show(
    <ObservationEditor entityId="ent_1" observation={brass} current={current} onClose={onClose} />,
  )
  return { user, onClose, field: screen.getByLabelText<HTMLTextAreaElement>('Observation text') }
}

test('Ctrl+Enter saves a changed wording once', async () => {
  const { promise: saved, resolve: save } = Promise.withResolvers<void>()
  const server = serve({
    updateObservation: () => saved.then(() => written({ observation: brass })),
  })
  const { user, onClose } = await showEditor()
  await user.keyboard(' and steel{Alt>}2{/Alt}{Control>}{Enter}{Enter}{/Control}')
  expect(onClose).not.toHaveBeenCalled()
  save()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('updateObservation')).toMatchObject([
    { params: { id: 'ent_1', observationId: 'obs_1' }, body: { content: 'Is of brass and steel' } },
  ])
  expect(await screen.findByText('Observation updated')).toBeTruthy()
})

test('an unchanged wording is not sent, and an empty one cannot be', async () => {
  const server = serve({})
  const { user, onClose, field } = await showEditor()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(onClose).toHaveBeenCalledOnce()
  await user.clear(field)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.type(field, ' {Control>}{Enter}{/Control}')
  expect(server.calls).toEqual([])
})

test('Esc asks before it discards a changed wording', async () => {
  const { user, onClose, field } = await showEditor()
  await user.keyboard('!{Escape}')
  expect(screen.getByRole('alert').textContent).toBe('Discard your changes?')
  await user.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(field.value).toBe('Is of brass!')
  expect(hasUnsaved()).toBe(true)
  await user.type(field, '{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('Esc closes an unchanged wording without a question', async () => {
  const { user, onClose } = await showEditor()
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

test('a wording that changed elsewhere is shown before it is replaced', async () => {
  await showEditor({ ...brass, content: 'Is of bronze' })
  expect(screen.getByText(/saving replaces this wording/).textContent).toContain('Is of bronze')
})

test('the text of an observation that was deleted elsewhere can be added as a new one', async () => {
  const server = serve({
    updateObservation: new Refusal('observation_not_found', 'Observation not found'),
    createObservations: written({ observations: [brass], rivals: [] }),
  })
  const { user, onClose } = await showEditor()
  await user.keyboard('!')
  await user.click(screen.getByRole('radio', { name: /This was a slip/ }))
  await user.click(screen.getByRole('button', { name: 'Correct' }))
  expect(await screen.findByText(/It was deleted elsewhere/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add as new' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('createObservations')).toMatchObject([{ body: { content: 'Is of brass!' } }])
})

test('a refused wording stays in its field, with the reason', async () => {
  serve({ updateObservation: new Refusal('plan_limit_reached', 'Your plan stores up to 100 MB') })
  const { user, onClose, field } = await showEditor()
  await user.keyboard('!')
  await user.click(screen.getByRole('radio', { name: /This was a slip/ }))
  await user.click(screen.getByRole('button', { name: 'Correct' }))
  expect(await screen.findByText('Your plan stores up to 100 MB')).toBeTruthy()
  expect(field.value).toBe('Is of brass!')
  expect(onClose).not.toHaveBeenCalled()
})

test('a changed wording waits for what it means, and can replace the old fact from a month on', async () => {
  const server = serve({
    createObservations: written({
      observations: [{ ...brass, id: 'obs_9', content: 'Is of steel' }],
      rivals: [],
    }),
  })
  const { user, onClose, field } = await showEditor()
  await user.clear(field)
  await user.type(field, 'Is of steel')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.keyboard('{Control>}{Enter}{/Control}{Alt>}1{/Alt}')
  const began = screen.getByLabelText<HTMLInputElement>('Began')
  await user.clear(began)
  await user.type(began, '2026-02-10')
  await user.click(screen.getByRole('radio', { name: 'Month' }))
  await user.click(screen.getByRole('button', { name: 'Replace' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('createObservations')).toMatchObject([
    { body: { content: 'Is of steel', at: '2026-02', replaces: ['obs_1'] } },
  ])
  expect(server.callsOf('updateObservation')).toEqual([])
})

test('what was replaced is shown with what replaced it, on request', async () => {
  const old = { ...brass, replacedBy: 'obs_2', state: 'replaced' as const, until: '2026-02' }
  const { user } = await show(panel([old, { ...weaves, at: '2026-02', replaces: ['obs_1'] }, hums]))
  expect(textsShown()).toEqual(['Weaves algebra', 'Hums'])
  expect(screen.getByText('since Feb')).toBeTruthy()
  await user.click(screen.getByText('Now and before'))
  expect(textsShown()).toEqual(['Weaves algebra', 'Is of brass', 'Hums'])
  expect(screen.getByText(/^replaced in Feb 2026/)).toBeTruthy()
  expect(screen.getByText('until Feb')).toBeTruthy()
})

test('a fact says where it is from and what it rests on', async () => {
  const source = { title: 'Notes', url: 'https://example.org/notes', quote: 'of brass' }
  await show(panel([{ ...brass, source, files: [{ path: 'src/engine.ts', lines: '3-9' }] }]))
  expect(screen.getByRole('link', { name: 'Notes' }).getAttribute('href')).toBe('https://example.org/notes')
  expect(screen.getByText('src/engine.ts:3-9')).toBeTruthy()
})

test('a source that is no web address is no link', async () => {
  await show(panel([{ ...brass, source: { url: 'javascript:alert(1)' } }]))
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByText('javascript:alert(1)')).toBeTruthy()
})

test('a stale fact says which file changed, and is confirmed in one step', async () => {
  const files = [{ path: 'src/engine.ts', lines: '3-9', hash: 'a' }]
  const stale = [{ path: 'src/engine.ts', lines: '3-9', reason: 'changed' as const, hash: 'b' }]
  const server = serve({ confirmObservation: written({ observation: { ...brass, files } }) })
  const { user } = await show(panel([{ ...brass, files, stale, state: 'stale' }]))
  expect(screen.getByText('src/engine.ts:3-9 has changed')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Still true' }))
  expect(await screen.findByText('Confirmed')).toBeTruthy()
  expect(server.callsOf('confirmObservation')).toMatchObject([{ params: { id: 'obs_1' } }])
})
