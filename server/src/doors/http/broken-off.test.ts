import { once } from 'node:events'
import { connect } from 'node:net'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { listenOn, testConfig } from '../../../test/harness.ts'
import { openContext } from '../../open-context.ts'

const patience = { timeout: 60_000, interval: 20 }

test.each(['sqlite', 'postgres'] as const)(
  'uploads that break off are no errors in the log (%s)',
  async (dialect) => {
    const lines: { level: number; msg: string; route?: string }[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const place = await testConfig(dialect)
    const server = await listenOn(await openContext(place.config, log))
    const { token } = await server.signUp()
    lines.length = 0
    const routes = ['/auth/login', '/api/entities', '/api/import', '/mcp']
    for (const path of routes) {
      const type = path === '/api/import' ? 'application/jsonl' : 'application/json'
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write(`${head}Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n{"type":`)
      await once(socket, 'connect')
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.resetAndDestroy()
    }
    const told = () => lines.flatMap(({ msg, route }) => (msg.includes('connection was lost') ? [route] : []))
    await vi.waitFor(() => expect(told().sort()).toEqual([...routes].sort()), patience)
    expect(lines.filter(({ level }) => level >= 40)).toEqual([])
    expect(JSON.stringify(lines)).not.toMatch(/"stack"/)
    await server.close()
    await place.remove()
  },
)
