import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { runLoci } from '../../../test/loci-command.ts'
import { planConnection } from '../../features/agents/plan-files.ts'
import { writeFiles } from '../../features/agents/write-files.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loci-connect-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const connect = (args: string[], env: Record<string, string> = {}) =>
  runLociInProcess(['connect', ...args], {
    env: {
      HOME: home,
      DATABASE_URL: '',
      LOCI_URL: '',
      LOCI_DATA_DIR: '',
      CODEX_HOME: '',
      CLAUDE_CONFIG_DIR: '',
      XDG_CONFIG_HOME: '',
      XDG_DATA_HOME: '',
      COPILOT_HOME: '',
      GEMINI_CLI_HOME: '',
      QWEN_HOME: '',
      ...env,
    },
  })

const files: Record<string, string> = {
  '.claude.json':
    '{\n  "numStartups": 7,\n  "mcpServers": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n',
  '.claude/settings.json': '{\n  "model": "opus",\n  "hooks": { "Stop": [] }\n}\n',
  '.codex/config.toml': 'model = "gpt-5.5"\n\n[mcp_servers.other]\ncommand = "x"\n',
  '.codex/AGENTS.md': '# Mine\n\nUse tabs.\n',
  '.cursor/mcp.json': '{"mcpServers":{"other":{"url":"http://x"}}}',
  '.config/Code/User/mcp.json': '{\n  // mine\n  "servers": {},\n  "inputs": [],\n}\n',
  '.gemini/settings.json': '{\n  "security": { "auth": { "selectedType": "gemini-api-key" } }\n}\n',
  '.copilot/copilot-instructions.md': 'Answer in Finnish.\n',
  '.qwen/settings.json': '{\n  "$version": 4\n}\n',
  '.config/opencode/opencode.jsonc': '{\n  // mine\n  "theme": "system"\n}\n',
}

function writeAll(): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), text)
  }
}

/** Every file of the person, by path. */
function allFiles(): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.(?:loci|cache)\//.test(path))
  return Object.fromEntries(
    paths.toSorted().map((path) => [path.slice(home.length + 1), readFileSync(path, 'utf8')]),
  )
}

test('says what it would write where, and writes nothing without consent', async () => {
  writeAll()
  const before = allFiles()
  for (const args of [
    ['--dry-run'],
    ['--all', '--dry-run'],
    [],
    ['--all'],
    ['cursor'],
    ['--remove', '--dry-run'],
  ]) {
    const { code, stdout, stderr } = await connect(args)
    expect(code).toBe(args.includes('--dry-run') ? 0 : 1)
    expect(stdout + stderr).toMatch(/Nothing was written|Nothing to do/)
    expect(allFiles()).toEqual(before)
  }
  const { stdout } = await connect(['--dry-run'])
  for (const path of Object.keys(files)) expect(stdout).toContain(`change  ${join(home, path)}`)
})

test('connects every agent that is there, keeps what stood there, and takes all of it away again', async () => {
  writeAll()
  const before = allFiles()
  const { code, stdout } = await connect(['--all', '--yes'])
  expect(code).toBe(0)
  expect(stdout).toContain('Gemini CLI starts Loci only in folders that you trust')
  expect(stdout).toContain('Codex asks at its next start whether you trust these hooks')
  const after = allFiles()
  const entry = { command: 'node', args: [expect.stringMatching(/loci\.js$/), 'mcp'] }
  expect(JSON.parse(after['.claude.json']!)).toEqual({
    numStartups: 7,
    mcpServers: { other: { command: 'x' }, loci: { type: 'stdio', ...entry } },
  })
  expect(JSON.parse(after['.cursor/mcp.json']!).mcpServers).toEqual({
    other: { url: 'http://x' },
    loci: entry,
  })
  expect(JSON.parse(after['.gemini/settings.json']!)).toMatchObject({
    security: {},
    mcpServers: { loci: entry },
  })
  expect(after['.config/Code/User/mcp.json']).toContain('// mine')
  expect(after['.codex/config.toml']).toContain('[mcp_servers.other]\ncommand = "x"\n')
  expect(after['.codex/config.toml']).toContain('[mcp_servers.loci]\ncommand = "node"\n')
  expect(after['.codex/AGENTS.md']).toContain('Use tabs.')
  expect(after['.claude/skills/loci-memory/SKILL.md']).toContain('name: loci-memory')
  expect(JSON.parse(after['.claude/settings.json']!).hooks.SessionStart[0].hooks).toMatchObject([
    { type: 'command', command: 'node', args: [expect.stringMatching(/hooks.recall\.mjs$/)] },
  ])
  expect(after['.gemini/GEMINI.md']).toContain('recall')
  expect(JSON.parse(after['.copilot/mcp-config.json']!).mcpServers.loci).toEqual({
    ...{ type: 'local', ...entry, tools: ['*'] },
  })
  expect(after['.config/opencode/opencode.jsonc']).toContain('// mine')
  expect(after['.config/opencode/opencode.jsonc']).toMatch(/"type": "local",\s+"command": \[\s+"node"/)
  expect(after['.config/opencode/plugins/loci.js']).toMatch(
    /^\/\/ Written by "loci connect".*\nexport \{ loci \} from "file:\/\/\S+\/hooks\/opencode\.mjs"\n$/,
  )
  expect(after['.config/Code/User/prompts/loci.instructions.md']).toContain("applyTo: '**'")
  expect(JSON.parse(after['.qwen/settings.json']!)).toMatchObject({
    $version: 4,
    mcpServers: { loci: entry },
  })
  for (const path of ['.codex', '.cursor', '.gemini', '.copilot', '.config/opencode', '.qwen'])
    expect(after[`${path}/skills/loci-memory/SKILL.md`]).toContain('name: loci-memory')
  expect((await connect(['--all', '--yes'])).stdout).toContain('Nothing to do.')
  expect(allFiles()).toEqual(after)
  expect((await connect(['--remove', '--all', '--yes'])).code).toBe(0)
  // An object without members goes with our entry; nothing else differs.
  expect(allFiles()).toEqual({
    ...before,
    '.config/Code/User/mcp.json': before['.config/Code/User/mcp.json']!.replace(
      '\n  "servers": {},',
      '',
    ).replace('// mine', '// mine'),
  })
  expect(existsSync(join(home, '.claude/skills/loci-memory'))).toBe(false)
})

test('says what a new version of an agent writes that is not known, and ends following', async () => {
  const env = { LOCI_DATA_DIR: join(home, 'data') }
  const folder = join(home, '.claude/projects/-shop')
  mkdirSync(folder, { recursive: true })
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `${name}.jsonl`), `{"type":"brand-new","sessionId":"${name}","uuid":"1"}\n`)
  const storage = join(home, '.config/Cursor/User/globalStorage')
  mkdirSync(storage, { recursive: true })
  const database = new DatabaseSync(join(storage, 'state.vscdb'))
  database.exec(`create table cursorDiskKV (key text unique on conflict replace, value blob);
    insert into cursorDiskKV values ('composerData:c', '{"composerId":"c"}'), ('bubbleId:c:b', '{"type":7}')`)
  database.close()
  const first = await connect(['claude-code', 'cursor', '--yes'], env)
  expect(first.stdout).not.toContain('left out')
  const { stdout } = await runLoci(['watch', '--once'], { env: { HOME: home, DATABASE_URL: '', ...env } })
  expect(stdout).toContain('claude-code: brand-new (2)')
  const again = await connect(['claude-code', 'cursor'], env)
  expect(again.stdout).toContain('left out, since this version of Loci does not know it: brand-new (2)')
  expect(again.stdout).toContain('does not know it: bubble of type 7 (1)')
  // Who says no to an agent means it for "loci watch" as well.
  const off = await connect(['claude-code', 'cursor', '--no-follow', '--yes'], env)
  expect(off.stdout).toContain('New conversations there are not kept.')
  const none = await runLociInProcess(['watch', '--once'], { env: { HOME: home, DATABASE_URL: '', ...env } })
  expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('No agent here may be followed.') })
})

test('installs hooks in the form of each agent that has them', async () => {
  writeAll()
  await connect(['--all', '--yes'])
  const after = allFiles()
  const hooksIn = (path: string) => JSON.parse(after[path]!)
  const tool = (agent: string) => ({
    ...{ type: 'mcp_tool', server: 'loci', tool: 'prompt_context', timeout: 5 },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent fills these in.
    input: { prompt: '${prompt}', session: '${session_id}', folder: '${cwd}', agent },
  })
  const command = (script: string, agent: string) =>
    expect.stringMatching(new RegExp(`^node '\\S+/hooks/${script}\\.mjs' ${agent}$`))
  expect(hooksIn('.claude/settings.json').hooks.UserPromptSubmit).toEqual([{ hooks: [tool('claude-code')] }])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  const forgets = { prompt: '', session: '${session_id}', event: 'SessionStart' }
  expect(hooksIn('.claude/settings.json').hooks.SessionStart).toEqual([
    { hooks: [expect.objectContaining({ args: [expect.stringContaining('recall.mjs')] })] },
    { matcher: 'compact', hooks: [{ ...tool('claude-code'), input: forgets }] },
  ])
  expect(hooksIn('.codex/hooks.json').hooks).toMatchObject({
    SessionStart: [{ hooks: [{ type: 'command', command: command('recall', 'codex'), timeout: 30 }] }],
    UserPromptSubmit: [{ hooks: [tool('codex')] }],
  })
  expect(hooksIn('.gemini/settings.json').hooks).toMatchObject({
    SessionStart: [{ hooks: [{ type: 'command', command: command('recall', 'gemini'), timeout: 30_000 }] }],
    BeforeAgent: [{ hooks: [{ type: 'command', command: command('prompt', 'gemini'), timeout: 5_000 }] }],
  })
  expect(hooksIn('.qwen/settings.json').hooks).toMatchObject({
    SessionStart: [{ hooks: [{ type: 'command', command: command('recall', 'qwen'), timeout: 30 }] }],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: command('prompt', 'qwen'), timeout: 5 }] }],
  })
  expect(hooksIn('.cursor/hooks.json')).toEqual({
    version: 1,
    hooks: {
      sessionStart: [{ command: command('recall', 'cursor'), timeout: 30 }],
      beforeSubmitPrompt: [{ command: command('prompt', 'cursor'), timeout: 5 }],
    },
  })
  expect(hooksIn('.copilot/hooks/loci.json')).toMatchObject({
    version: 1,
    hooks: {
      sessionStart: [{ type: 'command', bash: command('recall', 'copilot'), timeoutSec: 30 }],
      userPromptSubmitted: [{ type: 'command', bash: command('prompt', 'copilot'), timeoutSec: 5 }],
    },
  })
})

test('keeps hooks of the person beside ours, and names nothing that is not there when it removes', async () => {
  const own = '{\n  "version": 1,\n  "hooks": { "sessionStart": [{ "command": "./mine.sh" }] }\n}\n'
  mkdirSync(join(home, '.cursor'))
  writeFileSync(join(home, '.cursor/hooks.json'), own)
  await connect(['cursor', '--yes'])
  expect(JSON.parse(allFiles()['.cursor/hooks.json']!).hooks.sessionStart).toHaveLength(2)
  await connect(['cursor', '--remove', '--yes'])
  expect(allFiles()).toEqual({ '.cursor/hooks.json': own })
  expect((await connect(['--remove', '--yes'])).stdout).toBe('Nothing to do.\n')
})

test('starts the program of today where another clone or version was connected, and keeps what was added', async () => {
  writeAll()
  const before = allFiles()
  await connect(['--all', '--yes'])
  const after = allFiles()
  const clone = resolve(import.meta.dirname, '../../../..')
  for (const [path, text] of Object.entries(after))
    if (text !== before[path]) writeFileSync(join(home, path), text.replaceAll(clone, '/old/clone'))
  const cursor = join(home, '.cursor/mcp.json')
  writeFileSync(cursor, readFileSync(cursor, 'utf8').replace('clone/server/bin/loci.js', 'clone/.bin/loci'))
  const gemini = join(home, '.gemini/settings.json')
  writeFileSync(
    gemini,
    readFileSync(gemini, 'utf8').replace('"command": "node"', '"trust": true, "command": "/opt/node"'),
  )
  const { stdout } = await connect(['--all', '--yes'])
  expect(stdout).not.toContain('as is   /old')
  expect(JSON.stringify(allFiles())).not.toContain('/old/clone')
  const { loci } = JSON.parse(allFiles()['.gemini/settings.json']!).mcpServers
  expect(loci).toMatchObject({
    trust: true,
    command: '/opt/node',
    args: [join(clone, 'server/bin/loci.js'), 'mcp'],
  })
  expect((await connect(['--all', '--yes'])).stdout).toContain('Nothing to do.')
  await connect(['--all', '--yes', '--remove'])
  expect(Object.keys(allFiles())).toEqual(Object.keys(before))
  expect(allFiles()).toMatchObject({ '.claude/settings.json': before['.claude/settings.json'] })
})

test('leaves Claude Code to our plugin where that is enabled', async () => {
  writeAll()
  writeFileSync(join(home, '.claude/settings.json'), '{ "enabledPlugins": { "loci@loci": true } }')
  const before = allFiles()
  expect((await connect(['claude-code', '--yes'])).stdout).toContain('our plugin, which brings everything')
  expect(allFiles()).toEqual(before)
})

test('connects agents that are named, and only those', async () => {
  expect((await connect(['--yes'])).stdout).toContain('None of these agents was found')
  expect((await connect(['cursor', '--dry-run'], { HOME: '' })).stdout).toMatch(
    /create +\/.*\.cursor\/mcp\.json/,
  )
  await connect(['cursor', 'codex', '--yes'], {
    LOCI_URL: 'https://loci.example.com',
    LOCI_API_KEY: 'loci_x"y',
  })
  // Without hooks: they have no variables, and would open the memory of this machine.
  expect(Object.keys(allFiles())).toEqual([
    ...['.codex/AGENTS.md', '.codex/config.toml', '.codex/skills/loci-memory/SKILL.md'],
    ...['.cursor/mcp.json', '.cursor/skills/loci-memory/SKILL.md'],
  ])
  expect(JSON.parse(allFiles()['.cursor/mcp.json']!).mcpServers.loci.env).toEqual({
    LOCI_URL: 'https://loci.example.com',
    LOCI_API_KEY: 'loci_x"y',
  })
  expect(allFiles()['.codex/config.toml']).toContain('LOCI_API_KEY = "loci_x\\"y"')
  expect(statSync(join(home, '.cursor/mcp.json')).mode & 0o777).toBe(0o600)
  await connect(['cursor', 'codex', '--remove', '--yes'])
  expect(allFiles()).toEqual({})
})

test('writes where the agents look when variables move their folders', async () => {
  const env = {
    COPILOT_HOME: join(home, 'copilot'),
    GEMINI_CLI_HOME: join(home, 'google'),
    XDG_DATA_HOME: join(home, 'share'),
  }
  for (const place of ['copilot/session-state', 'google/.gemini', 'share/opencode'])
    mkdirSync(join(home, place), { recursive: true })
  writeFileSync(join(home, 'copilot/session-state/events.jsonl'), '')
  writeFileSync(join(home, 'share/opencode/opencode.db'), '')
  const { stdout } = await connect(['--yes'], env)
  expect(stdout).toContain('Connected Gemini CLI, Copilot CLI, opencode.')
  expect(stdout.match(/1 file, 0 kB so far/g)).toHaveLength(2)
  expect(Object.keys(allFiles())).toEqual(
    expect.arrayContaining(['copilot/mcp-config.json', 'google/.gemini/settings.json']),
  )
})

test('renews the key and the address of a server, and keeps variables of the person', async () => {
  mkdirSync(join(home, '.codex'))
  const agents = ['codex', 'cursor', 'opencode', '--yes']
  await connect(agents)
  const cursor = join(home, '.cursor/mcp.json')
  const [server, key] = ['https://loci.example.com', 'loci_new']
  await connect(agents, { LOCI_URL: server, LOCI_API_KEY: 'loci_old' })
  writeFileSync(cursor, readFileSync(cursor, 'utf8').replace('"env": {', '"env": { "HTTPS_PROXY": "x",'))
  const codex = join(home, '.codex/config.toml')
  writeFileSync(
    codex,
    readFileSync(codex, 'utf8').replace(
      /^env = .*$/m,
      '[mcp_servers.loci.env]\nLOCI_API_KEY = "loci_old"\n# mine',
    ),
  )
  await connect(agents, { LOCI_URL: server, LOCI_API_KEY: key })
  const after = allFiles()
  expect(JSON.stringify(after)).not.toContain('loci_old')
  const env = { LOCI_URL: server, LOCI_API_KEY: key }
  expect(JSON.parse(after['.cursor/mcp.json']!).mcpServers.loci.env).toEqual({ ...env, HTTPS_PROXY: 'x' })
  expect(JSON.parse(after['.config/opencode/opencode.json']!).mcp.loci.environment).toEqual(env)
  expect(after['.codex/config.toml']).toContain('LOCI_API_KEY = "loci_new" }\n# mine\n')
  expect(after['.codex/config.toml']).not.toContain('loci.env')
  expect((await connect(agents, env)).stdout).toContain('Nothing to do.')
})

test("keeps a plugin of the person's own", async () => {
  const plugins = join(home, '.config/opencode/plugins')
  mkdirSync(plugins, { recursive: true })
  writeFileSync(join(plugins, 'loci.js'), 'export const mine = async () => ({})\n')
  const before = allFiles()
  await connect(['opencode', '--yes'])
  expect(allFiles()).toMatchObject(before)
  await connect(['opencode', '--remove', '--yes'])
  expect(allFiles()).toEqual(before)
})

test('leaves alone what it cannot read and what the person connected by hand', async () => {
  writeAll()
  writeFileSync(join(home, '.cursor/mcp.json'), '{ broken')
  const own = '{ "mcpServers": { "loci": { "url": "http://127.0.0.1:7400/mcp" } } }'
  writeFileSync(join(home, '.gemini/settings.json'), own)
  writeFileSync(join(home, '.codex/config.toml'), '[mcp_servers.loci]\nurl = "http://127.0.0.1:7400/mcp"\n')
  const { stdout } = await connect(['--all', '--yes'])
  expect(stdout).toContain('by hand')
  await connect(['--all', '--yes', '--remove'])
  expect(allFiles()).toMatchObject({
    '.cursor/mcp.json': '{ broken',
    '.gemini/settings.json': own,
    '.codex/config.toml': '[mcp_servers.loci]\nurl = "http://127.0.0.1:7400/mcp"\n',
  })
})

test('says which files it may not read or write, and writes the others', async () => {
  writeAll()
  rmSync(join(home, '.codex/config.toml'))
  mkdirSync(join(home, '.codex/config.toml'))
  // The place of a folder is taken by a file.
  writeFileSync(join(home, '.copilot/hooks'), '')
  const { code, stdout } = await connect(['codex', 'copilot', 'opencode', '--yes'])
  expect(stdout).toContain(`by hand ${join(home, '.codex/config.toml')}`)
  expect(stdout).toMatch(/^Could not write \S+\.copilot\/hooks\/loci\.json: /m)
  expect(code).toBe(1)
  expect(Object.keys(allFiles())).toEqual(
    expect.arrayContaining(['.codex/AGENTS.md', '.copilot/mcp-config.json', '.config/opencode/AGENTS.md']),
  )
})

const tomlMark = '# Written by "loci connect", removed by "loci connect --remove".'

test('takes our part out of a file behind a link, and keeps the link', async () => {
  mkdirSync(join(home, '.cursor'))
  mkdirSync(join(home, 'dotfiles'))
  writeFileSync(join(home, 'dotfiles/mcp.json'), '{}\n')
  symlinkSync('../dotfiles/mcp.json', join(home, '.cursor/mcp.json'))
  await connect(['cursor', '--yes'])
  expect(readFileSync(join(home, 'dotfiles/mcp.json'), 'utf8')).toContain('loci')
  await connect(['cursor', '--remove', '--yes'])
  expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toBe('{}\n')
  expect(allFiles()).toEqual({ 'dotfiles/mcp.json': '{}\n' })
})

test('writes to where a link leads, although nothing is there yet', async () => {
  mkdirSync(join(home, '.cursor'))
  mkdirSync(join(home, 'dotfiles'))
  symlinkSync('next.json', join(home, 'dotfiles/mcp.json'))
  symlinkSync('../dotfiles/mcp.json', join(home, '.cursor/mcp.json'))
  await connect(['cursor', '--yes'])
  expect(readFileSync(join(home, 'dotfiles/next.json'), 'utf8')).toContain('loci')
  expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true)
})

test('renews and removes the skills and rules of an earlier version, and leaves those of the person', async () => {
  writeAll()
  await connect(['--all', '--yes'])
  const ours = Object.entries(allFiles()).filter(([path]) => /SKILL|loci\.instructions/.test(path))
  const change = () => {
    for (const [path, text] of ours)
      writeFileSync(join(home, path), text.replace('Before you start', 'Before'))
  }
  change()
  await connect(['--all', '--yes'])
  expect(allFiles()).toMatchObject(Object.fromEntries(ours))
  change()
  const [[own = ''] = []] = ours
  writeFileSync(join(home, own), '---\nname: loci-memory\ndescription: Mine\n---\n')
  const { stdout } = await connect(['--all', '--yes'])
  expect(stdout).toContain(`as is   ${join(home, own)}`)
  await connect(['--all', '--remove', '--yes'])
  const left = Object.keys(allFiles())
  expect(ours.map(([path]) => path).filter((path) => left.includes(path))).toEqual([own])
})

test('leaves a file alone that is no UTF-8', async () => {
  const path = join(home, '.codex/AGENTS.md')
  mkdirSync(join(home, '.codex'))
  const latin = Buffer.from('Antworte auf Finnl\u00e4ndisch.\n', 'latin1')
  writeFileSync(path, latin)
  expect((await connect(['codex', '--yes'])).stdout).toContain(`by hand ${path}`)
  await connect(['codex', '--remove', '--yes'])
  expect(readFileSync(path)).toEqual(latin)
})

test('does not write over what an agent wrote between the question and the answer', async () => {
  const path = join(home, '.claude.json')
  writeFileSync(path, '{}\n')
  const [planned] = planConnection(
    { id: 'x', title: 'X', folders: [], files: [{ kind: 'json', path, keys: ['mcpServers', 'loci'] }] },
    { entry: { command: 'node', args: ['mcp'] }, hooks: undefined },
  )
  if (planned?.state !== 'change') throw new Error('nothing planned')
  writeFileSync(path, '{ "oauthAccount": {} }\n')
  expect(writeFiles([planned.change])).toEqual([
    { path, reason: 'It was changed meanwhile. Run this again.' },
  ])
  expect(allFiles()).toEqual({ '.claude.json': '{ "oauthAccount": {} }\n' })
})

test.each([
  ['mcp_servers = { other = { command = "x" } }', 'by hand'],
  ['[mcp_servers]\nloci = { command = "mine" }', 'as is'],
  ['[mcp_servers]\nloci.command = "mine"', 'as is'],
  ['mcp_servers.loci.command = "mine"', 'as is'],
  ['[ mcp_servers . "loci" ]\ncommand = "mine"', 'as is'],
  ['[mcp_servers.loci.env]\nA = "b"', 'as is'],
  ['a = """\n[todo]\n"""\nmcp_servers = {}', 'by hand'],
  ['a = [\n  [1],\n]\nmcp_servers = {}', 'by hand'],
  ['a = [\n', 'by hand'],
  [`${tomlMark}\n[mcp_servers.loci]\nurl = "http://127.0.0.1:7400/mcp"`, 'as is'],
])('does not name a table of Codex twice: %s', async (text, state) => {
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex/config.toml'), text)
  const { stdout } = await connect(['codex', '--yes'])
  expect(stdout).toMatch(new RegExp(`^  ${state} +\\S+config\\.toml`, 'm'))
  expect(allFiles()['.codex/config.toml']).toBe(text)
})

test.each([
  '[mcp_servers]\nother = { command = "x" }',
  '[mcp_servers.locity]\ncommand = "x" # mcp_servers.loci = 1',
  '[x]\nmcp_servers = 1',
  `a = """\n${tomlMark}\n[mcp_servers.loci]\ncommand = "x"\n"""`,
  "a = '''\n[mcp_servers.loci]'''",
])('adds a table to %j', async (text) => {
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex/config.toml'), text)
  await connect(['codex', '--yes'])
  expect(allFiles()['.codex/config.toml']).toContain('[mcp_servers.loci]\ncommand = "node"\n')
})

test('renews a list of several lines in the table of Codex, and leaves only what is ours', async () => {
  const path = join(home, '.codex/config.toml')
  mkdirSync(join(home, '.codex'))
  const own = `\n[after]\nnote = """\n${tomlMark}\n"""\n`
  const ours = `${tomlMark}\n[mcp_servers.loci]\ncommand = "node"\nargs = [\n  "/old/loci.js",\n  "mcp",\n]\n`
  writeFileSync(path, `${ours}note = """\n# a\n\n[b]\n"""\n${own}`)
  await connect(['codex', '--yes'])
  expect(readFileSync(path, 'utf8')).toMatch(/^args = \["\S+\/server\/bin\/loci\.js","mcp"\]$/m)
  await connect(['codex', '--yes', '--remove'])
  expect(readFileSync(path, 'utf8')).toBe(own)
})

test.each([
  [tomlMark, ''],
  ['# loci: begin (written by "loci connect", removed by "loci connect --remove")', '# loci: end\n'],
])('keeps what Codex wrote behind our table, and into it: %s', async (begin, end) => {
  const own = 'model = "gpt-5.5"\n'
  const written = '\n[projects."/home/ada/checkout-service"]\ntrust_level = "trusted"\n\n[hooks.state]\n'
  const tool = '\n[mcp_servers.loci.tools.recall]\napproval_mode = "approve"\n'
  mkdirSync(join(home, '.codex'))
  const path = join(home, '.codex/config.toml')
  const table = '[mcp_servers.loci]\ncommand = "node"\nargs = ["/old/loci.js","mcp"]\nenabled = false\n'
  writeFileSync(path, `${own}\n${begin}\n${table}${tool}${written}${end}`)
  await connect(['codex', '--yes'])
  const renewed = allFiles()['.codex/config.toml']!
  expect(renewed).toContain(written)
  expect(renewed).toContain('enabled = false\n')
  expect(renewed).toMatch(/args = \["\S+\/server\/bin\/loci\.js","mcp"\]/)
  expect((await connect(['codex', '--yes'])).stdout).toContain('Nothing to do.')
  await connect(['codex', '--yes', '--remove'])
  expect(allFiles()['.codex/config.toml']).toBe(`${own}\n${written}`)
})

test('refuses an agent that it does not know, and to give away the password of a database', async () => {
  expect((await connect(['emacs'])).stderr).toContain(
    '"emacs" is no agent that can be connected. These are: claude-code',
  )
  const { stderr } = await connect(['cursor', '--yes'], { DATABASE_URL: 'postgres://a:b@localhost/c' })
  expect(stderr).toContain('set LOCI_URL and LOCI_API_KEY')
  expect(allFiles()).toEqual({})
})
