import { afterAll, beforeEach, expect, test, vi } from 'vitest'

type Call = { body: File; signal: AbortSignal }
let send: (call: Call, onSent: (share: number) => void) => Promise<object>
let leave: () => void = () => {}
let status = 'signed-in'
vi.doMock('../../lib/api.ts', () => ({
  uploadingApi: (onSent: (share: number) => void) => ({ import: (call: Call) => send(call, onSent) }),
}))
vi.doMock('../../lib/session.ts', () => ({
  currentSession: () => ({ status }),
  subscribeToSession: (listener: () => void) => {
    leave = listener
  },
}))
// The hook reports the task; outside a component the test reads it directly.
vi.doMock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))
afterAll(() => {
  for (const path of ['../../lib/api.ts', '../../lib/session.ts', 'react']) vi.doUnmock(path)
  vi.resetModules()
})

const stored = new Map<string, string>()
const file = new File(['{}'], 'memory.jsonl')

/** The module as loaded with a page. */
async function open() {
  vi.resetModules()
  return import('./import-task.ts')
}

beforeEach(() => {
  stored.clear()
  status = 'signed-in'
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

test('a file is sent, and its result is found again after a reload', async () => {
  const { sendImport, useImportTask } = await open()
  const shares: unknown[] = []
  send = async (_, onSent) => {
    shares.push(useImportTask())
    onSent(0.5)
    shares.push(useImportTask())
    return { import: { id: 'imp_1' } }
  }
  await sendImport(file)
  expect(shares).toMatchObject([{ step: 'sending', share: 0 }, { share: 0.5 }])
  expect(useImportTask()).toEqual({ step: 'started', id: 'imp_1', file })
  const reloaded = await open()
  expect(reloaded.useImportTask()).toEqual({ step: 'started', id: 'imp_1' })
})

test('a file that did not arrive is kept to be sent again', async () => {
  const { sendImport, useImportTask } = await open()
  send = async () => {
    throw new TypeError('Failed to fetch')
  }
  await sendImport(file)
  expect(useImportTask()).toEqual({ step: 'failed', file, message: 'The file could not be uploaded' })
  expect(stored.size).toBe(0)
})

test('an import cancelled during the upload leaves nothing behind, however its call ends', async () => {
  const { sendImport, forgetImport, useImportTask } = await open()
  send = async ({ signal }) => {
    forgetImport()
    signal.throwIfAborted()
    return {}
  }
  await sendImport(file)
  expect(useImportTask()).toBeUndefined()
})

test("signing out discards the account's import", async () => {
  stored.set('loci_import', 'imp_1')
  const { useImportTask } = await open()
  leave()
  expect(useImportTask(), 'another name in the profile changes nothing').toBeDefined()
  status = 'anonymous'
  leave()
  expect(useImportTask()).toBeUndefined()
  expect(stored.size).toBe(0)
})
