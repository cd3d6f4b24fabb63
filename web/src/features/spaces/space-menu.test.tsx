// @vitest-environment jsdom
import type { Space } from '@loci/contract/spaces'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { catchRedirects } from '../../../test/browser.ts'
import { button, dialogNamed } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { setScope } from '../../lib/scope.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { SpaceMenu } from './space-menu.tsx'

const home = spaceNamed('default', 'spc_1', { entities: 1_234 })
const work = spaceNamed('Work', 'spc_2', { entities: 1, observations: 2, relations: 0 })

async function openMenu(
  spaces: Space[],
  { answers = {}, as = personAs('owner') }: { answers?: Answers; as?: ReturnType<typeof personAs> } = {},
) {
  const server = serve({ listSpaces: () => ({ spaces }), ...answers })
  const shown = await show(
    <>
      <SpaceMenu />
      <DiscardDialog />
    </>,
    { as },
  )
  await shown.user.click(await screen.findByRole('button', { name: /^Space:/ }))
  await screen.findByRole('menu')
  const choose = (name: string) => shown.user.click(screen.getByRole('menuitem', { name }))
  return { ...shown, server, choose }
}

const actions = () => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent)

test.each([
  ['owner', ['Create space', 'Rename this space', 'Delete this space']],
  ['admin', ['Create space', 'Rename this space']],
  ['member', ['Create space', 'Rename this space']],
  ['viewer', []],
] as const)('a %s is offered what the role allows', async (role, offered) => {
  await openMenu([home, work], { as: personAs(role) })
  expect(actions()).toEqual(offered)
})

test('the last space cannot be deleted', async () => {
  await openMenu([home])
  expect(actions()).not.toContain('Delete this space')
})

test('spaces are listed with their size and the current one checked, and choosing one changes the address', async () => {
  const { user, address } = await openMenu([home, work])
  const items = screen.getAllByRole('menuitemradio')
  expect(items.map(({ textContent }) => textContent)).toEqual(['default1,234', 'Work1'])
  expect(items.map((item) => item.getAttribute('aria-checked'))).toEqual(['true', 'false'])
  await user.click(items[1]!)
  await waitFor(() => expect(address()).toBe('/?space=spc_2'))
})

test('all accounts are listed with their spaces, and choosing one opens it there', async () => {
  const accounts = [
    { id: 'acc_ada', name: 'Analytical Engines', role: 'owner' as const },
    { id: 'acc_bob', name: 'Looms', role: 'member' as const },
    { id: 'acc_eve', name: 'Sealed', role: 'viewer' as const },
  ]
  const redirects = catchRedirects('https://loci.example/graph')
  const { user } = await openMenu([home], {
    as: personAs('owner', { accounts }),
    answers: {
      listSpaces: ({ headers }) => {
        const account = headers.get('loci-account')
        if (account === 'acc_eve') return new Refusal('second_factor_missing', 'Set up a second factor')
        return { spaces: account === 'acc_bob' ? [spaceNamed('default', 'spc_1'), work] : [home] }
      },
    },
  })
  expect(await screen.findByRole('menuitemradio', { name: /Work/ })).toBeTruthy()
  expect(screen.getByRole('menu').textContent).toContain('Loomsmember')
  await user.click(screen.getByRole('menuitem', { name: 'Open this account' }))
  await user.click(await screen.findByRole('button', { name: /^Space:/ }))
  await user.click(await screen.findByRole('menuitemradio', { name: /Work/ }))
  expect(redirects).toEqual(['/dashboard?account=acc_eve', '/dashboard?account=acc_bob&space=spc_2'])
})

test('another space drops the filters, and an entity that it does not have', async () => {
  catchRedirects('https://loci.example/entities/ent_1?query=x')
  const { user, address } = await openMenu([home, work])
  await user.click(screen.getByRole('menuitemradio', { name: /Work/ }))
  await waitFor(() => expect(address()).toBe('/entities?space=spc_2'))
})

test('a space unknown to the address has to be chosen', async () => {
  serve({ listSpaces: { spaces: [home, work] } })
  await show(<SpaceMenu />)
  act(() => setScope({ space: 'spc_9' }))
  expect(
    await screen.findByRole('button', { name: /^Space: ?Analytical Engines ?\/ ?Choose a space$/ }),
  ).toBeTruthy()
})

test('a new space is opened; a name that is taken is reported and stays typed', async () => {
  const { user, server, choose, address } = await openMenu([home], {
    answers: { createSpace: new Refusal('space_name_taken', 'There is a space of this name') },
  })
  await choose('Create space')
  const dialog = await dialogNamed('Create Space')
  const name = dialog.getByLabelText<HTMLInputElement>('Name')
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create Space' })
  expect(submit.disabled).toBe(true)
  await user.type(name, ' Work ')
  await user.click(submit)
  expect(await dialog.findByText('There is a space of this name')).toBeTruthy()
  expect(name.value).toBe(' Work ')
  server.answer({ createSpace: { space: work } })
  await user.click(submit)
  expect(await screen.findByText('Space created')).toBeTruthy()
  expect(server.callsOf('createSpace').at(-1)?.body).toEqual({ name: 'Work' })
  await waitFor(() => expect(address()).toBe('/?space=spc_2'))
})

test('Esc asks before it discards a typed name', async () => {
  const { user, choose } = await openMenu([home])
  await choose('Create space')
  await user.type((await dialogNamed('Create Space')).getByLabelText('Name'), 'Work')
  await user.keyboard('{Escape}')
  const question = await dialogNamed('Discard unsaved changes?')
  await user.click(question.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByText('Discard unsaved changes?')).toBeNull())
  expect((await dialogNamed('Create Space')).getByLabelText<HTMLInputElement>('Name').value).toBe('Work')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a renamed space keeps its id, so it stays the current one', async () => {
  const { user, server, choose, address } = await openMenu([home], {
    answers: { updateSpace: { space: { ...home, name: 'Home' } } },
  })
  await choose('Rename this space')
  const dialog = await dialogNamed('Rename Space')
  const name = dialog.getByLabelText<HTMLInputElement>('Name')
  expect(name.value).toBe('default')
  await user.clear(name)
  await user.type(name, 'Home')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText('Space renamed')).toBeTruthy()
  expect(server.callsOf('updateSpace')).toMatchObject([{ params: { id: 'spc_1' }, body: { name: 'Home' } }])
  expect(await screen.findByRole('button', { name: /^Space: ?Analytical Engines ?\/ ?Home$/ })).toBeTruthy()
  await waitFor(() => expect(address()).toBe('/?space=spc_1'))
})

test('a space is deleted once its name is typed, and another one is shown', async () => {
  const { user, server, choose, address } = await openMenu([home, work], {
    answers: { deleteSpace: new Refusal('rate_limited', 'Try again in a minute') },
  })
  act(() => setScope({ space: 'spc_2' }))
  await choose('Delete this space')
  const dialog = await dialogNamed('Delete Space')
  expect(dialog.getByText(/1 entity, 2 observations and 0 relations with their whole history/)).toBeTruthy()
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete Space' })
  const typed = dialog.getByLabelText('Type Work to confirm')
  await user.type(typed, 'work{Enter}')
  expect(submit.disabled).toBe(true)
  expect(server.callsOf('deleteSpace')).toEqual([])
  await user.clear(typed)
  await user.type(typed, 'Work')
  await user.click(submit)
  expect(await dialog.findByText('Try again in a minute')).toBeTruthy()
  server.answer({ deleteSpace: undefined })
  await user.click(submit)
  expect(await screen.findByText('Space deleted')).toBeTruthy()
  expect(server.callsOf('deleteSpace').at(-1)?.params).toEqual({ id: 'spc_2' })
  await waitFor(() => expect(address()).toBe('/'))
})

test('a slow server creates one space, however often the button is clicked', async () => {
  const answered = Promise.withResolvers<void>()
  const { user, server, choose } = await openMenu([home], {
    answers: {
      createSpace: async () => {
        await answered.promise
        return { space: work }
      },
    },
  })
  await choose('Create space')
  const dialog = await dialogNamed('Create Space')
  await user.type(dialog.getByLabelText('Name'), 'Work')
  await user.dblClick(dialog.getByRole('button', { name: 'Create Space' }))
  expect(button('Create Space').disabled).toBe(true)
  answered.resolve()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.callsOf('createSpace')).toHaveLength(1)
})
