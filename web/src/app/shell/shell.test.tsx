// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { entityOf, storedAt } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, type Call, serve } from '../../../test/server-double.ts'
import { EntityPicker } from '../../features/relations/entity-picker.tsx'
import { noteRecentEntity } from '../../lib/recent-entities.ts'
import { setScope } from '../../lib/scope.ts'
import { currentSession } from '../../lib/session.ts'
import { holdDraft } from '../../lib/unsaved.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { CommandPalette, palette } from './command-palette.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { UserMenu } from './user-menu.tsx'

async function openMenu(as = personAs('owner'), onHelp = () => {}) {
  const shown = await show(
    <>
      <UserMenu onHelp={onHelp} />
      <DiscardDialog />
    </>,
    { as },
  )
  await shown.user.click(screen.getByRole('button', { name: 'User menu' }))
  return { ...shown, items: await screen.findAllByRole('menuitem') }
}
const item = (name: string | RegExp) => screen.getByRole('menuitem', { name })

test.each([
  ['owner', ['API Keys', 'Webhooks', 'Audit Log', 'Billing', 'Settings']],
  ['member', ['API Keys', 'Settings']],
  ['viewer', ['Settings']],
] as const)('the menu of a %s leads to %j', async (role, places) => {
  const { items } = await openMenu(personAs(role))
  expect(items.map((entry) => entry.textContent).slice(0, -2)).toEqual(places)
})

test('the menu shows who is signed in', async () => {
  await openMenu(personAs('owner', { firstName: '', lastName: '' }))
  expect(screen.getByText('ada@example.com')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'User menu' }).textContent).toContain('A')
})

test('the colour scheme is chosen without closing the menu', async () => {
  const { user } = await openMenu()
  await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
  expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
  await user.click(screen.getByRole('menuitemradio', { name: 'Light' }))
  expect(document.documentElement.dataset.mantineColorScheme).toBe('light')
})

test('logging out ends the session here and on the server', async () => {
  const server = serve({ logout: undefined })
  const { user } = await openMenu()
  await user.click(item('Logout'))
  await waitFor(() => expect(currentSession().status).toBe('anonymous'))
  expect(server.callsOf('logout')).toHaveLength(1)
})

test('logging out asks first while something is unsaved', async () => {
  onTestFinished(holdDraft({ scope: undefined, saving: false }))
  const server = serve({ logout: undefined })
  const { user } = await openMenu()
  await user.click(item('Logout'))
  const question = within(await screen.findByRole('dialog', { name: 'Discard unsaved changes?' }))
  await user.click(question.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.calls).toEqual([])
  expect(currentSession().status).toBe('signed-in')
})

const space = (id: string, name: string) => ({
  id,
  name,
  entities: 0,
  relations: 0,
  observations: 0,
  writes: 'direct' as const,
  autoAcceptDays: null,
  reviewers: [],
  createdAt: storedAt,
  keepsRecalls: true,
  countsTold: false,
  conversationDays: null,
})
const answers: Answers = {
  listSpaces: { spaces: [space('spc_1', 'Home'), space('spc_2', 'Work')] },
  listEntities: { entities: [entityOf('Engine')], total: 1, nextCursor: null },
}

async function openPalette(as = personAs('owner')) {
  const onHelp = vi.fn()
  const shown = await show(<CommandPalette onHelp={onHelp} />, { as })
  onTestFinished(() => act(() => palette.close()))
  return {
    ...shown,
    onHelp,
    field: await screen.findByPlaceholderText('Find an entity, a page or an action'),
  }
}
/** Without their shortcuts. */
const actions = () =>
  screen.getAllByRole('button').map((action) => {
    const keys = [...action.querySelectorAll('kbd')].map(({ textContent }) => textContent).join('')
    return action.textContent.slice(0, action.textContent.length - keys.length)
  })

test('an entity is found by part of its name, and Enter opens it', async () => {
  const server = serve(answers)
  const { user, field, address } = await openPalette()
  await user.type(field, ' eng')
  await waitFor(() => expect(server.callsOf('listEntities').at(-1)?.query.query).toBe('eng'))
  expect(await screen.findByText('Engine')).toBeTruthy()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/entities/ent_engine'))
})

test('a picker offers what the palette has found', async () => {
  const found = (text: unknown) => (text === 'eng' ? [entityOf('Engine')] : [])
  const listEntities = (call: Call) => ({ entities: found(call.query.query), total: 1, nextCursor: null })
  serve({ ...answers, listEntities })
  const { user } = await show(
    <>
      <CommandPalette onHelp={() => {}} />
      <EntityPicker label="Entity" value={undefined} excludedId={undefined} onChange={() => {}} />
    </>,
  )
  await user.type(await screen.findByPlaceholderText('Find an entity, a page or an action'), 'eng')
  expect(await screen.findByRole('button', { name: /Engine/ })).toBeTruthy()
  act(() => palette.close())
  await user.type(screen.getByRole('combobox', { name: /^Entity/, hidden: true }), 'eng')
  expect(await screen.findByRole('option', { name: /Engine/, hidden: true })).toBeTruthy()
})

test('before anything is typed, the entities opened last in this space come first', async () => {
  serve(answers)
  noteRecentEntity(entityOf('Loom'))
  noteRecentEntity(entityOf('Engine'))
  setScope({ space: 'spc_2' })
  noteRecentEntity(entityOf('Elsewhere'))
  setScope({})
  const { user, field, address } = await openPalette()
  expect(actions().slice(0, 3)).toEqual(['Engineproject', 'Loomproject', 'Dashboard'])
  expect(screen.queryByText('Elsewhere')).toBeNull()
  await user.type(field, 'zzz')
  expect(screen.queryByText('Loom')).toBeNull()
  await user.clear(field)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/entities/ent_engine'))
})

test('pages and actions are found by any of their words', async () => {
  serve({ ...answers, listEntities: { entities: [], total: 0, nextCursor: null } })
  const { user, field, address } = await openPalette()
  await user.type(field, 'download')
  await waitFor(() => expect(actions()).toEqual(['Search memory for “download”', 'Export memory']))
  await user.click(screen.getByRole('button', { name: 'Export memory' }))
  await waitFor(() => expect(address()).toBe('/settings#backup'))
})

test('a viewer is offered neither writing nor administration', async () => {
  serve(answers)
  await openPalette(personAs('viewer'))
  const offered = actions()
  for (const name of ['Create entity', 'Create relation', 'Import memory', 'Billing', 'API Keys'])
    expect(offered).not.toContain(name)
  for (const name of ['Export memory', 'Search', 'Settings']) expect(offered).toContain(name)
})

test('the other one of two spaces is offered', async () => {
  serve(answers)
  await openPalette()
  await waitFor(() => expect(actions()).toContain('Switch to space “Work”'))
})

test('the text can always be searched for in the whole memory', async () => {
  serve(answers)
  const { user, field, address } = await openPalette()
  await user.type(field, 'what weaves')
  await user.click(screen.getByRole('button', { name: 'Search memory for “what weaves”' }))
  await waitFor(() => expect(address()).toBe('/search?query=what+weaves'))
})

test('shortcuts that need another role are not listed', async () => {
  await show(<ShortcutsDialog opened onClose={() => {}} />, { as: personAs('viewer') })
  expect(await screen.findByText('Find anything')).toBeTruthy()
  expect(screen.queryByText('Create an entity')).toBeNull()
  expect(screen.queryByText('Billing')).toBeNull()
})

function Listening({ onHelp }: { onHelp: () => void }) {
  useShortcuts({ onHelp })
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input aria-label="Field" />
      <button type="submit">Save</button>
    </form>
  )
}

async function listen(as = personAs('owner')) {
  const onHelp = vi.fn()
  return { onHelp, ...(await show(<Listening onHelp={onHelp} />, { as })) }
}

test('keys lead to pages and open the help', async () => {
  const { user, address, onHelp } = await listen()
  await user.keyboard('gr')
  await waitFor(() => expect(address()).toBe('/relations'))
  await user.keyboard('c')
  await waitFor(() => expect(address()).toBe('/entities?create=true'))
  await user.keyboard('?')
  expect(onHelp).toHaveBeenCalledOnce()
})

test('keys typed into a field or with a modifier keep their meaning', async () => {
  const { user, address } = await listen()
  await user.keyboard('{Control>}c{/Control}')
  await user.type(screen.getByLabelText('Field'), 'gec')
  expect(screen.getByLabelText<HTMLInputElement>('Field').value).toBe('gec')
  expect(address()).toBe('/')
})

test('a viewer has no key to create an entity', async () => {
  const { user, address } = await listen(personAs('viewer'))
  await user.keyboard('c')
  expect(address()).toBe('/')
})

test('Ctrl+Enter submits the form around the field', async () => {
  const { user } = await listen()
  const submitted = vi.fn()
  screen.getByLabelText('Field').closest('form')!.addEventListener('submit', submitted)
  await user.type(screen.getByLabelText('Field'), 'x{Control>}{Enter}{/Control}')
  expect(submitted).toHaveBeenCalledOnce()
})
