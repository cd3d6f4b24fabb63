// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { button, dialogNamed } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'

const home = spaceNamed('default', 'spc_1')
const work = spaceNamed('Work', 'spc_2')
const fresh = { id: 'key_1', apiKey: 'loci_AbCdEfGhIjKlMnOp9fK2' }
const dayMs = 86_400_000

async function showDialog(answers: Answers, spaces = [home]) {
  const server = serve({ listSpaces: { spaces }, ...answers })
  const onClose = vi.fn()
  const onCreated = vi.fn()
  const { user } = await show(
    <>
      <CreateKeyDialog opened onClose={onClose} onCreated={onCreated} />
      <DiscardDialog />
    </>,
  )
  const dialog = await dialogNamed('Create API Key')
  const name = dialog.getByLabelText<HTMLInputElement>('Name')
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create API Key' })
  const choose = async (label: string, option: string) => {
    await user.click(dialog.getByRole('combobox', { name: label }))
    await user.click(await screen.findByRole('option', { name: option }))
  }
  return { server, user, dialog, name, submit, choose, onClose, onCreated }
}

test('a key can be limited to reading, to spaces and to a time', async () => {
  const { server, user, name, submit, choose, onClose, onCreated } = await showDialog({ createKey: fresh }, [
    home,
    work,
  ])
  await user.type(name, 'Robot')
  await choose('Permissions', 'Read only')
  await choose('Spaces', 'Work')
  await choose('Expires', 'In 30 days')
  await user.click(submit)
  await waitFor(() => expect(onCreated).toHaveBeenCalledExactlyOnceWith(fresh))
  expect(onClose).toHaveBeenCalledOnce()
  const body = server.callsOf('createKey')[0]?.body as { expiresAt: string }
  expect(body).toMatchObject({ name: 'Robot', permissions: ['memory:read'], spaces: ['spc_2'] })
  expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 30 * dayMs)).toBeLessThan(60_000)
})

test('with one space there is nothing to choose', async () => {
  const { server, dialog } = await showDialog({})
  await waitFor(() => expect(server.callsOf('listSpaces')).toHaveLength(1))
  expect(dialog.queryByRole('combobox', { name: 'Spaces' })).toBeNull()
})

test('a name of only spaces is not sent', async () => {
  const { server, user, name, submit } = await showDialog({})
  await user.type(name, '   {Enter}')
  expect(submit.disabled).toBe(true)
  expect(server.callsOf('createKey')).toEqual([])
})

test('a key that the plan does not allow says so, and the form stays', async () => {
  const { user, dialog, name, submit, onClose, onCreated } = await showDialog({
    createKey: new Refusal('plan_limit_reached', 'Your plan allows 1 API key'),
  })
  await user.type(name, 'Robot')
  await user.click(submit)
  expect(await dialog.findByText('Your plan allows 1 API key')).toBeTruthy()
  expect(name.value).toBe('Robot')
  expect(onClose).not.toHaveBeenCalled()
  expect(onCreated).not.toHaveBeenCalled()
})

test('Esc asks before it discards a typed name, and closes an empty form at once', async () => {
  const { user, name, onClose } = await showDialog({})
  await user.type(name, 'R')
  await user.keyboard('{Escape}')
  await dialogNamed('Discard unsaved changes?')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(button('Keep editing'))
  await waitFor(() => expect(screen.queryByText('Discard unsaved changes?')).toBeNull())
  await user.type(name, '{Backspace}')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('repeated clicks on a slow server create one key', async () => {
  const answered = Promise.withResolvers<void>()
  const { server, user, name, submit, onCreated } = await showDialog({
    createKey: async () => {
      await answered.promise
      return fresh
    },
  })
  await user.type(name, 'Robot')
  await user.dblClick(submit)
  expect(submit.disabled).toBe(true)
  answered.resolve()
  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce())
  expect(server.callsOf('createKey')).toHaveLength(1)
})
