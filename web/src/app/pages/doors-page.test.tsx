// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keyNamed } from '../../../test/keys.ts'
import { storedAt } from '../../../test/memory.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { DoorsPage } from './doors-page.tsx'

const answers: Answers = {
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
  expect(await rowOf('Home')).toEqual(['Write', 'Read', 'Propose', 'None'])
  expect(await rowOf('Work')).toEqual(['Write', 'None', 'Propose', 'Write'])
  expect(screen.getAllByText('Ends soon')).toHaveLength(2)
  expect(screen.queryByText('Old')).toBeNull()
})

test('a door is tried with a recall through the personal key, and a refusal is told', async () => {
  serve(answers)
  const { user } = await show(<DoorsPage />)
  await screen.findByRole('rowheader', { name: /Work/ })
  const rest = globalThis.fetch
  const calls: { url: string; init: RequestInit }[] = []
  let isRefused = false
  const stub = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    if (!String(url).startsWith('/mcp')) return rest(url, init)
    calls.push({ url: String(url), init })
    const content = [{ type: 'text', text: isRefused ? 'Not allowed here' : 'Ada drinks tea' }]
    return Response.json({ jsonrpc: '2.0', id: 1, result: { content, isError: isRefused } })
  })
  onTestFinished(() => stub.mockRestore())
  await user.click(screen.getAllByRole('button', { name: 'Try it' })[1]!)
  const trial = within(screen.getByRole('region', { name: 'Try it: Work' }))
  await user.type(trial.getByRole('textbox'), 'tea')
  await user.click(trial.getByRole('button', { name: 'Try it' }))
  expect(await trial.findByText('Ada drinks tea')).toBeTruthy()
  expect(calls[0]!.url).toBe('/mcp/spaces/spc_2')
  expect(calls[0]!.init.headers).toMatchObject({ authorization: 'Bearer loci_personal' })
  expect(JSON.parse(String(calls[0]!.init.body)).params).toEqual({
    name: 'recall',
    arguments: { query: 'tea' },
  })
  isRefused = true
  await user.click(trial.getByRole('button', { name: 'Try it' }))
  expect((await trial.findByRole('alert')).textContent).toBe('Not allowed here')
})

test('says what could not be loaded, and is not for viewers', async () => {
  serve({ ...answers, listKeys: new Refusal('forbidden', 'No') })
  await show(<DoorsPage />)
  expect(await screen.findByText('No')).toBeTruthy()
})

test('viewers have no doors of their own', async () => {
  serve({})
  await show(<DoorsPage />, { as: personAs('viewer') })
  expect(screen.getByText('Viewers of this account have no keys of their own.')).toBeTruthy()
})
