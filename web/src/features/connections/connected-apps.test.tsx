// @vitest-environment jsdom
import type { Connection } from '@loci/contract/connections'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, itemWith, wordsOf } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { ConnectedApps } from './connected-apps.tsx'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const claude: Connection = {
  id: 'con_1',
  client: { name: 'Claude', host: 'claude.ai' },
  scopes: ['memory:read', 'memory:write'],
  writes: 'direct',
  isReadOnly: false,
  space: { id: 'spc_1', name: 'Home' },
  createdAt: minutesAgo(30),
  lastUsedAt: minutesAgo(2),
}
const own = { userId: 'usr_ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const other = { userId: 'usr_grace', name: 'Grace Hopper', email: 'grace@example.com' }

test('an app shows host, rights, space and use', async () => {
  serve({ listConnections: { connections: [claude] } })
  await show(<ConnectedApps />)
  const row = (await screen.findByText('Claude')).closest('li')
  expect(wordsOf(row)).toContain(
    'claude.ai · Read and write · Home · connected 30 min ago · last used 2 min ago',
  )
})

test.each([
  ['owner', 'true'],
  ['admin', 'true'],
  ['member', 'false'],
  ['viewer', 'false'],
] as const)('a %s asks for the apps of everybody: %s', async (role, all) => {
  const server = serve({ listConnections: { connections: [] } })
  await show(<ConnectedApps />, { as: personAs(role) })
  expect(await screen.findByText('No app is connected.')).toBeTruthy()
  expect(server.callsOf('listConnections')).toMatchObject([{ query: { all } }])
})

test("somebody else's app names its person, one of my own does not", async () => {
  serve({
    listConnections: {
      connections: [
        { ...claude, person: own },
        { ...claude, id: 'con_2', client: { name: 'cursor.com', host: 'cursor.com' }, person: other },
      ],
    },
  })
  await show(<ConnectedApps />)
  expect(await screen.findByRole('button', { name: 'Disconnect Claude' })).toBeTruthy()
  expect(button('Disconnect cursor.com of Grace Hopper')).toBeTruthy()
  const row = screen.getByText('cursor.com').closest('li')
  expect(wordsOf(row)).toMatch(/^cursor\.comRead and write · Home · connected 30 min ago by Grace Hopper/)
})

test('a disconnected app leaves the list; after a failure it stays, with the reason', async () => {
  const connections = [claude]
  const server = serve({
    listConnections: () => ({ connections }),
    deleteConnection: new Refusal('connection_not_found', 'Connection not found'),
  })
  const { user } = await show(<ConnectedApps />)
  await user.click((await itemWith('Claude')).getByRole('button'))
  expect(await screen.findByText('Connection not found')).toBeTruthy()
  expect(screen.getByText('Claude')).toBeTruthy()
  server.answer({ deleteConnection: () => void connections.pop() })
  await user.click((await itemWith('Claude')).getByRole('button'))
  expect(await screen.findByText('No app is connected.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Claude')).toBeNull())
})

test('a failure to load apps can be retried', async () => {
  const server = serve({ listConnections: new Refusal('forbidden', 'Not from here') })
  const { user } = await show(<ConnectedApps />)
  expect((await screen.findByRole('alert')).textContent).toContain('Not from here')
  server.answer({ listConnections: { connections: [claude] } })
  await user.click(button('Try again'))
  expect(await screen.findByText('Claude')).toBeTruthy()
})
