// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keyNamed } from '../../../test/keys.ts'
import { storedAt } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { DoorsPage } from './doors-page.tsx'

const answers: Answers = {
  listDoorCalls: {
    calls: [
      {
        credential: 'key_builder',
        spaceId: 'spc_2',
        at: storedAt,
        what: 'add_observations',
        isRefused: true,
      },
    ],
  },
  listSpaces: { spaces: [spaceNamed('Home', 'spc_1'), spaceNamed('Work', 'spc_2')] },
  listKeys: {
    apiKeys: [
      keyNamed('Reader', { permissions: ['memory:read'], spaces: ['spc_1'] }),
      keyNamed('Builder', { writes: 'propose', isExpiringSoon: true }),
      keyNamed('Old', { isExpired: true }),
    ],
  },
  listConnections: {
    connections: [
      {
        id: 'con_1',
        client: { name: 'ChatGPT', host: 'chatgpt.com' },
        scopes: ['memory:read', 'memory:write'],
        writes: 'direct',
        isReadOnly: false,
        space: { id: 'spc_2', name: 'Work' },
        createdAt: storedAt,
        lastUsedAt: storedAt,
      },
    ],
  },
}

test('shows how far each key and connection gets into each memory', async () => {
  serve(answers)
  await show(<DoorsPage />)
  const rowOf = async (name: string) => {
    const row = (await screen.findByRole('rowheader', { name: new RegExp(name) })).closest('tr')!
    return within(row)
      .getAllByRole('cell')
      .map((cell) => cell.querySelector('b')?.textContent)
  }
  expect(await rowOf('Home')).toEqual(['Read', 'Propose', 'None', 'Write'])
  expect(await rowOf('Work')).toEqual(['None', 'Propose', 'Write', 'Write'])
  expect(screen.getAllByText('Ends soon').length).toBeGreaterThan(1)
  expect(screen.getByRole('button', { name: /Propose.*Refused.*Builder into Work/ })).toBeTruthy()
  expect(screen.queryByText('Old')).toBeNull()
})

const openDoor = async (name: RegExp) => {
  const screenUser = await show(<DoorsPage />)
  await screenUser.user.click(await screen.findByRole('button', { name }))
  return screenUser
}

test('a narrower door acts at once and can be undone, a wider one asks first', async () => {
  const server = serve({ ...answers, updateKey: () => undefined as never })
  const { user } = await openDoor(/Builder into Work/)
  await user.click(screen.getByRole('radio', { name: 'Read' }))
  await waitFor(() => expect(server.callsOf('updateKey')).toHaveLength(1))
  expect(server.callsOf('updateKey')[0]).toMatchObject({
    params: { id: 'key_builder' },
    body: { door: { space: 'spc_2', opens: 'read' } },
  })
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.callsOf('updateKey')).toHaveLength(2))
  expect(server.callsOf('updateKey')[1]!.body).toEqual({ door: { space: 'spc_2', opens: 'propose' } })
  await user.click(screen.getByRole('radio', { name: 'Write' }))
  expect(await screen.findByText('Let Builder write to Work?')).toBeTruthy()
  expect(server.callsOf('updateKey')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Let it write' }))
  await waitFor(() => expect(server.callsOf('updateKey')).toHaveLength(3))
})

test('what cannot be opened says why', async () => {
  serve(answers)
  await openDoor(/ChatGPT into Home/)
  expect(screen.getByText(/Connect ChatGPT to this memory from the app itself/)).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Write' }).disabled).toBe(true)
})

test('an app that is closed out is disconnected, after a question', async () => {
  const server = serve({ ...answers, deleteConnection: () => undefined as never })
  const { user } = await openDoor(/ChatGPT into Work/)
  await user.click(screen.getByRole('radio', { name: 'None' }))
  await user.click(await screen.findByRole('button', { name: 'Disconnect' }))
  await waitFor(() => expect(server.callsOf('deleteConnection')).toHaveLength(1))
})

test('a door is tried by the server, so that no secret is in the browser', async () => {
  const trial = { outcome: 'answered', text: 'Ada drinks tea', observations: 1, tokens: 9, ms: 4 } as const
  const server = serve({ ...answers, tryDoor: trial })
  const { user } = await openDoor(/Reader into Home/)
  const part = within(screen.getByRole('region', { name: 'Try it: Reader into Home' }))
  await user.type(part.getByRole('textbox'), 'tea')
  await user.click(part.getByRole('button', { name: 'Try it' }))
  expect(await part.findByText('Ada drinks tea')).toBeTruthy()
  expect(server.callsOf('tryDoor')[0]!.body).toMatchObject({
    ...{ credential: 'key_reader', space: 'spc_1', tool: 'recall', text: 'tea' },
  })
  server.answer({ tryDoor: { ...trial, outcome: 'refused', text: 'This needs the right memory:write.' } })
  await user.selectOptions(part.getByRole('combobox', { name: 'Tool' }), 'add_observations')
  await user.click(part.getByRole('button', { name: 'Try it' }))
  expect(await part.findByText('Refused')).toBeTruthy()
})

test('says what could not be loaded', async () => {
  serve({ ...answers, listKeys: new Refusal('forbidden', 'No') })
  await show(<DoorsPage />)
  expect(await screen.findByText('No')).toBeTruthy()
})

test('viewers have no doors of their own', async () => {
  serve({})
  await show(<DoorsPage />, { as: personAs('viewer') })
  expect(screen.getByText('Viewers of this account have no keys of their own.')).toBeTruthy()
})
