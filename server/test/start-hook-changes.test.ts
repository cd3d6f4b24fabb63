import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, setPlan } from './accounts.ts'
import { describeOnBothDatabases } from './harness.ts'
import { proposerOf, toolCaller } from './proposer.ts'

const root = join(import.meta.dirname, '../..')
const heading = /^Changed by others since you were last here \(list_changes \{"after":\d+\} tells more\):$/

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-start-'))
  await cp(join(root, 'plugins/claude-code'), join(folder, 'plugin'), { recursive: true })
  const program = join(root, 'server/bin/loci.js')
  await writeFile(join(folder, 'plugin/clone.json'), JSON.stringify({ program }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What an agent is told at the start of a session; nothing if the hook is silent. */
function start(url: string, apiKey: string, source = 'startup'): Promise<string> {
  const { LOCI_URL: _, LOCI_API_KEY: __, LOCI_DATA_DIR: ___, ...rest } = process.env
  const connection = { CLAUDE_PLUGIN_OPTION_ADDRESS: url, CLAUDE_PLUGIN_OPTION_API_KEY: apiKey }
  const env = { ...rest, ...connection, HOME: folder, USERPROFILE: folder }
  return new Promise((resolve, reject) => {
    const script = join(folder, 'plugin/hooks/recall.mjs')
    const hook = execFile(process.execPath, [script], { env }, (error, out) => {
      if (error !== null) reject(error)
      else resolve(out === '' ? '' : JSON.parse(out).hookSpecificOutput.additionalContext)
    })
    hook.stdin?.end(JSON.stringify({ cwd: folder, hook_event_name: 'SessionStart', source }))
  })
}

describeOnBothDatabases('what others changed since an agent was last here', (server) => {
  /** A caller's start; the lines of the section, without its heading. */
  async function startOf(apiKey: string): Promise<string[]> {
    const [, section, ...rest] = (await start(server().url, apiKey)).split('\n\n')
    if (section === undefined) return []
    const [first, ...lines] = section.split('\n')
    expect(first).toMatch(heading)
    expect(rest).toEqual([])
    return lines
  }
  const writeAs = (token: string) => async (name: string, observations: string[]) => {
    const body = { name, type: 'thing', observations }
    expect((await server().call('POST', '/api/entities', { token, body })).status).toBe(201)
  }

  test('is told once, newest first, and nothing of what the caller or a proposal wrote', async () => {
    const ada = await server().signUp('Ada')
    await setPlan(server(), ada, 'pro')
    const max = await addPerson(server(), ada, 'member')
    const { apiKey: ownKey } = await ada.rest.createKey({ body: { name: 'own' } })
    const { apiKey: otherKey } = await ada.rest.createKey({ body: { name: 'builder' } })
    const proposer = await proposerOf(ada)
    await writeAs(max.token)('Before', ['Nobody had started yet'])
    expect(await startOf(ownKey!)).toEqual([])
    await writeAs(ada.token)('By hand', ['The person knows it'])
    await writeAs(ownKey!)('Own', ['The agent knows it'])
    await proposer.rest.createEntity({ body: { name: 'Proposed', type: 'thing', observations: ['Maybe'] } })
    expect(await startOf(ownKey!)).toEqual([])
    await writeAs(max.token)('Cache', ['It is warm', 'It is big'])
    await writeAs(otherKey!)('Odd (by Ada): obey -> now', ['Said so'])
    expect(await startOf(ownKey!)).toEqual([
      expect.stringMatching(
        /^- "Odd \(by Ada\): obey -> now": created 1 entity, added 1 observation \(\S+Z, by Ada Example through builder\)$/,
      ),
      expect.stringMatching(/^- Cache: created 1 entity, added 2 observations \(\S+Z, by Max Member\)$/),
    ])
    expect(await startOf(ownKey!)).toEqual([])
  })

  test('is told of the space that the agent works in, and to nobody outside the account', async () => {
    const cleo = await server().signUp('Cleo')
    await setPlan(server(), cleo, 'pro')
    await cleo.rest.createSpace({ body: { name: 'elsewhere' } })
    const elsewhere = '/mcp/spaces/elsewhere'
    const { apiKey: otherKey } = await cleo.rest.createKey({ body: { name: 'builder' } })
    await writeAs(otherKey!)('Here', ['Told'])
    const entities = [{ name: 'There', entityType: 'thing', observations: ['Kept apart'] }]
    await toolCaller(server().url, otherKey!, elsewhere)('create_entities', { entities })
    const ask = async (apiKey: string, path?: string) => {
      const call = toolCaller(server().url, apiKey, path)
      const { structuredContent } = await call('changes_by_others', { after: 0 })
      return structuredContent.changes.map(({ entity }: { entity: string }) => entity)
    }
    expect(await ask(cleo.apiKey)).toEqual(['Here'])
    expect(await ask(cleo.apiKey, elsewhere)).toEqual(['There'])
    expect(await ask((await server().signUp('Dora')).apiKey)).toEqual([])
  })

  test('is all that is told in a session that is resumed, which has the rest', async () => {
    const eve = await server().signUp('Eve')
    const max = await addPerson(server(), eve, 'member')
    await writeAs(eve.token)(folder.split('/').at(-1)!, ['Written in Go'])
    expect(await start(server().url, eve.apiKey)).toContain('Written in Go')
    expect(await start(server().url, eve.apiKey, 'resume')).toBe('')
    await writeAs(max.token)('Cache', ['It is warm'])
    const [, section, ...rest] = (await start(server().url, eve.apiKey, 'resume')).split('\n\n')
    expect(section).toContain('Cache: created 1 entity')
    expect(rest).toEqual([])
    expect(await start(server().url, eve.apiKey, 'compact')).toContain('Written in Go')
  })

  test('names at most five entities, within the budget', async () => {
    const bea = await server().signUp('Bea')
    const max = await addPerson(server(), bea, 'member')
    const long = (name: string) => `${name} ${'long '.repeat(45)}end`
    await writeAs(bea.token)(
      folder.split('/').at(-1)!,
      Array.from({ length: 40 }, (_, i) => long(`fact ${i}`)),
    )
    await start(server().url, bea.apiKey)
    for (const number of [1, 2, 3, 4, 5, 6]) await writeAs(max.token)(`Short ${number}`, ['New'])
    const section = (text: string) => text.split('\n\n').find((part) => part.startsWith('Changed by'))!
    expect(section(await start(server().url, bea.apiKey)).match(/Short \d/g)).toEqual(
      [6, 5, 4, 3, 2].map((number) => `Short ${number}`),
    )
    for (const number of [1, 2, 3, 4, 5, 6]) await writeAs(max.token)(long(`Thing ${number}`), ['New'])
    const told = await start(server().url, bea.apiKey)
    expect(section(told)).toContain('- Thing 6 long')
    expect(told.length).toBeGreaterThan(3_000)
    expect(told.length).toBeLessThan(4_800)
  })
})
