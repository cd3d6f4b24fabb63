// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button } from '../../../test/find.ts'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { type Scope, setScope } from '../../lib/scope.ts'
import { KnownSpace } from './known-space.tsx'

const spaces = [spaceNamed('default', 'spc_1'), spaceNamed('Work', 'spc_2')]

async function showIn(scope: Scope, at: string) {
  const server = serve({ listSpaces: { spaces } })
  setScope(scope)
  const shown = await show(<KnownSpace>The memory</KnownSpace>, { at })
  return { ...shown, server }
}

test.each([{}, { space: 'spc_2' }, { space: 'Work' }, { account: 'acc_ada' }])(
  'shows what an address names that exists: %j',
  async (scope) => {
    const { server } = await showIn(scope, '/')
    await waitFor(() => expect(server.callsOf('listSpaces')).toHaveLength(1))
    expect(await screen.findByText('The memory')).toBeTruthy()
  },
)

test('a space that is gone says so and leads to the default one', async () => {
  const { user, address } = await showIn({ space: 'spc_9' }, '/entities?space=spc_9')
  expect(await screen.findByText('Space not found')).toBeTruthy()
  expect(screen.queryByText('The memory')).toBeNull()
  await user.click(button('Go to my default space'))
  await waitFor(() => expect(address()).toBe('/dashboard'))
  act(() => setScope({}))
  expect(await screen.findByText('The memory')).toBeTruthy()
})

test('an account that I am not a member of leads to my own', async () => {
  const { user, address } = await showIn({ account: 'acc_other' }, '/entities?account=acc_other')
  expect(await screen.findByText('Account not found')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Go to my own account' }))
  await waitFor(() => expect(address()).toBe('/dashboard'))
})
