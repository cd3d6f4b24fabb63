import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from './harness.ts'
import { runLoci } from './loci-command.ts'
import { connectOverStdio } from './mcp-clients.ts'
import { talk } from './talk.ts'

const projects = ['shop', 'bank', 'farm']
const said = 'kestrelmux refuses certificates since Monday'

let folder: string
let worktree: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-project-'))
  worktree = join(folder, 'fix-port')
  await mkdir(worktree)
  for (const project of projects)
    await mkdir(join(folder, project, '.git/worktrees/fix-port'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Of which project is what a prompt in a worktree of each calls to mind first? */
async function firstInWorktrees(agent: Client): Promise<(string | undefined)[]> {
  const entities = [{ name: 'kestrelmux', entityType: 'service', observations: [] }]
  await agent.callTool({ name: 'create_entities', arguments: { entities } })
  const first: (string | undefined)[] = []
  for (const project of projects) {
    await writeFile(join(worktree, '.git'), `gitdir: ${join(folder, project)}/.git/worktrees/fix-port\n`)
    const args = { prompt: 'Why does kestrelmux refuse certificates?', folder: worktree }
    const { content } = await agent.callTool({ name: 'prompt_context', arguments: args })
    first.push(/claude-code in (\w+)/.exec(JSON.stringify(content))?.[1])
  }
  return first
}

test('a prompt in a worktree is about the project of its repository', async () => {
  const env = { LOCI_DATA_DIR: join(folder, 'data'), DATABASE_URL: '', LOCI_URL: '', LOCI_API_KEY: '' }
  const sessions = join(folder, 'sessions')
  await mkdir(sessions, { recursive: true })
  for (const project of projects) {
    const record = { type: 'user', uuid: project, sessionId: project, timestamp: '2026-05-04T09:00:00Z' }
    const line = { ...record, cwd: join(folder, project), message: { content: said } }
    await writeFile(join(sessions, `${project}.jsonl`), `${JSON.stringify(line)}\n`)
  }
  expect(await runLoci(['import', sessions], { env })).toMatchObject({ code: 0 })
  const agent = await connectOverStdio(env, 'auto')
  expect(await firstInWorktrees(agent)).toEqual(projects)
  await agent.close()
})

test('so it is for a memory on a server, which cannot see the folder', async () => {
  const server = await startTestServer('sqlite')
  const ada = await server.signUp()
  for (const project of projects) await talk(ada, project, [{ role: 'person', text: said }])
  const agent = await connectOverStdio({ LOCI_URL: server.url, LOCI_API_KEY: ada.apiKey }, 'auto')
  expect(await firstInWorktrees(agent)).toEqual(projects)
  await agent.close()
  await server.close()
})
