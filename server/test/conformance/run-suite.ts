import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { AppOptions } from '../../src/app.ts'
import { startTestServer } from '../harness.ts'
import { startBearerProxy } from './bearer-proxy.ts'

export const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
/** Limits scenarios that wait for something that never comes; the others take milliseconds. */
const scenarioMs = 8_000

/** The suite's result: its exit code, the scored scenarios without a failure, and its whole output. */
export type Findings = { code: number | null; passed: string[]; out: string }

/** A server for the suite to test. */
export async function startSubject(options?: AppOptions) {
  const server = await startTestServer('sqlite', {}, options)
  const proxy = await startBearerProxy(server.url, (await server.signUp()).apiKey)
  return {
    run: (...args: string[]) => runSuite(`${proxy.url}/mcp`, args),
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}

async function runSuite(url: string, args: readonly string[]): Promise<Findings> {
  const all = [suite, 'server', '--url', url, '--timeout', `${scenarioMs}`, ...args]
  const { code, out } = await new Promise<Omit<Findings, 'passed'>>((resolve) => {
    const child = execFile(process.execPath, all, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, out: stdout + stderr }),
    )
  })
  const unscored = new Set(namesIn(out, /^ {2}✓ (\S+) \(/gm))
  const passed = namesIn(out, /^✓ (\S+): [1-9]\d* passed, 0 failed/gm)
  return { code, out, passed: passed.filter((name) => !unscored.has(name)) }
}

function namesIn(out: string, pattern: RegExp): string[] {
  return [...out.matchAll(pattern)].map((match) => match[1] ?? '')
}
