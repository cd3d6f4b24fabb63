import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { verifySnippets } from './verify-snippets.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = JSON.stringify({ type: 'entity.created', data: { change: { name: 'Zoë' } } })
const [node, python] = verifySnippets

let child: ChildProcess | undefined
afterEach(async () => {
  if (child === undefined) return
  child.kill()
  await once(child, 'exit')
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? address!.port : 0
}

/** Runs a snippet exactly as shown and posts events to it. */
async function tryOut(command: string, args: string[]): Promise<void> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret }
  child = spawn(command, args, { env, stdio: 'ignore' })
  const post = async (secrets: string[], age = 0) => {
    const at = new Date(Date.now() - age)
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((one) => new Webhook(one).sign('evt_1', at, body)).join(' '),
    }
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status
  }
  await vi.waitUntil(() => post([secret]).catch(() => false), { timeout: 60_000, interval: 100 })
  expect(await post([secret])).toBe(204)
  expect(await post([other, secret])).toBe(204)
  expect(await post([other])).toBe(400)
  expect(await post([secret], 3_600_000)).toBe(400)
}

test('the Node code accepts what is signed and rejects everything else', () =>
  tryOut(process.execPath, ['--input-type=module', '-e', node.code]))

test.skipIf(!hasPython())('so does the Python code', () => tryOut('python3', ['-c', python.code]))

function hasPython(): boolean {
  try {
    return execFileSync('python3', ['--version']).length > 0
  } catch {
    return false
  }
}
