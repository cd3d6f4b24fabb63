import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { startTestServer } from '../harness.ts'
import { allow, registerApp } from '../oauth.ts'
import { suite } from './run-suite.ts'

test('passes the MCP conformance suite for authorization servers', async () => {
  const server = await startTestServer('sqlite')
  const { token } = await server.signUp()
  const port = await freePort()
  const { clientId } = await registerApp(server, { redirectTo: `http://127.0.0.1:${port}/callback` })
  const about = ['--url', server.url, '--resource', `${server.url}/mcp`, '--client-id', clientId]
  const run = spawn(process.execPath, [suite, 'authorization', ...about, '--port', String(port)])
  let out = ''
  let visited: Promise<unknown> | undefined
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (part) => {
      out += part
      const [address] = /http:\S+\/oauth\/authorize\?\S+(?=\s)/.exec(out) ?? []
      if (address === undefined || visited !== undefined) return
      // The person who is asked to open this address in a browser.
      visited = allow(server, { token }, address).then((end) => fetch(end))
    })
  }
  const code = await new Promise((resolve) => run.on('close', resolve))
  await visited
  await server.close()
  expect(code, out).toBe(0)
  expect(out).toMatch(/authorization-server-metadata-endpoint: 2 passed, 0 failed/)
  expect(out).toMatch(/authorization-code-grant: 1 passed, 0 failed/)
})
