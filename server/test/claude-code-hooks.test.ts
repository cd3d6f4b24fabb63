import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './harness.ts'

const plugin = join(import.meta.dirname, '../../plugins/claude-code')
const program = join(import.meta.dirname, '../bin/loci.js')

let folder: string
let project: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-hooks-'))
  project = join(folder, 'checkout-service')
  await mkdir(project)
  // Replaces the published package: `npx -y @loci/loci mcp` starts this program.
  const npx = join(folder, 'npx')
  await writeFile(npx, `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`)
  await chmod(npx, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a hook with the JSON that Claude Code gives it; returns the hook's output. */
function runHook(name: string, input: object, env: Record<string, string> = {}): Promise<string> {
  const { PATH = '', LOCI_URL: _, LOCI_API_KEY: __, CLAUDE_CODE_ENTRYPOINT: ___, ...rest } = process.env
  const environment = { ...rest, PATH: `${folder}${delimiter}${PATH}`, HOME: folder, ...env }
  return new Promise((resolve, reject) => {
    const hook = execFile(
      process.execPath,
      [join(plugin, 'hooks', name)],
      { env: environment },
      (error, out) => (error === null ? resolve(out) : reject(error)),
    )
    hook.stdin?.end(JSON.stringify(input))
  })
}

describe('at the start of a session', () => {
  const start = () => ({
    session_id: 's1',
    transcript_path: join(folder, 's1.jsonl'),
    cwd: project,
    hook_event_name: 'SessionStart',
    source: 'startup',
  })
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  test('Claude is told what the server knows about the project and the user, each thing once', async () => {
    const ada = await server.signUp('Ada')
    const remember = (name: string, entityType: string, fact: string) =>
      server.call('POST', '/api/entities', {
        token: ada.token,
        body: { name, type: entityType, observations: [fact] },
      })
    await remember('checkout-service', 'project', 'Deployed with kamal')
    await remember('default_user', 'person', 'Preferences: short answers, small commits')
    const out = await runHook('recall.mjs', start(), {
      CLAUDE_PLUGIN_OPTION_ADDRESS: server.url,
      CLAUDE_PLUGIN_OPTION_API_KEY: ada.apiKey,
    })
    const { hookSpecificOutput } = JSON.parse(out)
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart')
    const { additionalContext } = hookSpecificOutput
    expect(additionalContext).toMatch(/^From Loci, .* about the project checkout-service\./)
    expect(additionalContext.match(/Deployed with kamal/g)).toHaveLength(1)
    expect(additionalContext).toMatch(/About the user:.*short answers, small commits/s)
  })

  test('an empty memory on this machine says that it is empty', async () => {
    const out = await runHook('recall.mjs', start(), { LOCI_DATA_DIR: join(folder, 'data') })
    const { additionalContext } = JSON.parse(out).hookSpecificOutput
    expect(additionalContext).toContain('holds nothing about the project checkout-service yet')
  })

  test('an unresponsive server does not disturb the session', async () => {
    const nobody = { CLAUDE_PLUGIN_OPTION_ADDRESS: 'http://127.0.0.1:9', CLAUDE_PLUGIN_OPTION_API_KEY: 'k' }
    expect(await runHook('recall.mjs', start(), nobody)).toBe('')
  })
})

describe('when Claude stops', () => {
  const prompt = { type: 'user', message: { role: 'user', content: 'Do it' } }
  const call = (name: string) => ({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input: {} }] },
  })
  const result = {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
  }
  const times = <T>(count: number, entry: T): T[] => Array.from({ length: count }, () => entry)

  let transcripts = 0
  async function session() {
    const session_id = `stop-${++transcripts}`
    const transcript_path = join(folder, `${session_id}.jsonl`)
    await writeFile(transcript_path, '')
    return {
      write: (...entries: object[]) =>
        appendFile(transcript_path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
      stop: async (input: object = {}, env: Record<string, string> = {}) => {
        const out = await runHook(
          'offer-to-save.mjs',
          { session_id, transcript_path, hook_event_name: 'Stop', stop_hook_active: false, ...input },
          { CLAUDE_PLUGIN_DATA: join(folder, 'plugin-data'), ...env },
        )
        return out === '' ? undefined : JSON.parse(out)
      },
    }
  }

  test('after five prompts without a save it is asked once whether something is worth keeping', async () => {
    const { write, stop } = await session()
    await write(...times(4, prompt))
    expect(await stop()).toBeUndefined()
    await write(prompt)
    expect(await stop({ stop_hook_active: true })).toBeUndefined()
    expect(await stop({}, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })).toBeUndefined()
    expect(await stop()).toEqual({ decision: 'block', reason: expect.stringContaining('save it in Loci') })
    await write(prompt)
    expect(await stop()).toBeUndefined()
    await write(...times(4, prompt))
    expect(await stop()).toMatchObject({ decision: 'block' })
  })

  test('a long run of tools counts too, and a save starts over', async () => {
    const { write, stop } = await session()
    await write(
      prompt,
      ...times(20, call('Bash')),
      ...times(20, result),
      call('mcp__plugin_loci_loci__add_observations'),
    )
    expect(await stop()).toBeUndefined()
    await write(...times(20, call('Edit')))
    expect(await stop()).toMatchObject({ decision: 'block' })
  })
})
