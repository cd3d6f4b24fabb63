import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { addFixtures } from './add-fixtures.ts'
import { startBearerProxy } from './bearer-proxy.ts'

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
const baseline = fileURLToPath(new URL('./baseline-2025-11-25.yml', import.meta.url))
/** For a scenario that waits for what will not come; the others take milliseconds. */
const scenarioMs = 8_000
const testMs = 120_000

describe('the MCP conformance suite', () => {
  let server: TestServer
  let proxy: Awaited<ReturnType<typeof startBearerProxy>>

  beforeAll(async () => {
    server = await startTestServer('sqlite', {}, { extendMcp: addFixtures })
    proxy = await startBearerProxy(server.url, (await server.signUp()).apiKey)
  })
  afterAll(async () => {
    await proxy?.close()
    await server?.close()
  })

  test('passes all 37 scenarios that protocol 2026-07-28 requires', { timeout: testMs }, async () => {
    const { passed, out } = await run('--requirements', '2026-07-28')
    expect(passed, out).toHaveLength(37)
  })

  test('passes protocol 2025-11-25 but for what needs a session', { timeout: testMs }, async () => {
    const { passed, out } = await run('--requirements', '2025-11-25', '--expected-failures', baseline)
    expect(passed, out).toHaveLength(23)
  })

  test('passes the scenario about headers that are held against the body', { timeout: testMs }, async () => {
    const { out } = await run('--scenario', 'http-header-validation', '--spec-version', '2026-07-28')
    expect(out).toContain('Passed: 14/14, 0 failed, 0 warnings')
  })

  /** Runs scenarios, expects the suite to be content, and gives the names of the scored ones without a failure. */
  async function run(...args: string[]): Promise<{ passed: string[]; out: string }> {
    const url = `${proxy.url}/mcp`
    const all = [suite, 'server', '--url', url, '--timeout', `${scenarioMs}`, ...args]
    const { code, out } = await new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = execFile(process.execPath, all, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, out: stdout + stderr }),
      )
    })
    expect(code, out).toBe(0)
    const unscored = new Set(namesIn(out, /^ {2}✓ (\S+) \(/gm))
    return {
      passed: namesIn(out, /^✓ (\S+): [1-9]\d* passed, 0 failed/gm).filter((name) => !unscored.has(name)),
      out,
    }
  }
})

function namesIn(out: string, pattern: RegExp): string[] {
  return [...out.matchAll(pattern)].map((match) => match[1] ?? '')
}
