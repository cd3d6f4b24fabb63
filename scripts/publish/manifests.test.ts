import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { v0_3 } from '@anthropic-ai/mcpb'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { stdioCommand } from '../../contract/src/program.ts'
import { tools } from '../../server/src/doors/mcp/tools/index.ts'
import { version } from '../../server/src/ground/version.ts'
import { cursorWebLink, vscodeWebLink } from '../../web/src/features/agents/install-links.ts'
import { bundleManifest } from '../pack/bundle-manifest.ts'
import { manifests } from './manifests.ts'
import { serverJson } from './server-json.ts'
import schema from './testing/server.schema.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test.each(Object.entries(manifests))('%s is as "npm run manifests" writes it', (path, content) => {
  expect(JSON.parse(read(path))).toEqual(content)
})

const formats = {
  uri: URL.canParse,
  'uri-template': (text: string) => URL.canParse(text.replace(/[{}]/g, '')),
}
const isValid = new Ajv({ strict: false, formats }).compile(schema)

test('server.json fits the schema of the MCP registry', () => {
  expect(isValid(serverJson), JSON.stringify(isValid.errors)).toBe(true)
  expect(serverJson.$schema).toBe(schema.$id)
  expect(isValid({ ...serverJson, description: 'x'.repeat(101) })).toBe(false)
})

test('the plugin declares every variable that it uses as an option', () => {
  const plugin = JSON.parse(read('plugins/claude-code/.claude-plugin/plugin.json'))
  const used = [...read('plugins/claude-code/.mcp.json').matchAll(/\$\{user_config\.(\w+)\}/g)]
  expect(used.map(([, name]) => name).sort()).toEqual(Object.keys(plugin.userConfig).sort())
})

test("the plugin's hooks start files that exist", () => {
  const commands = [
    ...read('plugins/claude-code/hooks/hooks.json').matchAll(/\$\{CLAUDE_PLUGIN_ROOT\}([^"]+)/g),
  ]
  expect(commands.length).toBe(2)
  for (const [, path] of commands) expect(read(`plugins/claude-code${path}`)).toContain('readInput(')
})

test('the version is that of the package, and every text that starts the program with npx names it', () => {
  expect(version).toBe(JSON.parse(read('server/package.json')).version)
  const command = `${stdioCommand.args.join(' ')}`
  for (const path of [
    'README.md',
    'docs/mcp.md',
    'scripts/pack/README.md',
    'plugins/claude-code/README.md',
  ]) {
    const text = read(path).replaceAll(/["`]|,(?= )/g, '')
    for (const [found] of text.matchAll(/-y [^|\n]*?@loci\/loci\S* mcp/g)) expect(found, path).toBe(command)
  }
})

test('the README has the links that install the server', () => {
  expect(read('README.md')).toContain(`[Add to Cursor](${cursorWebLink(stdioCommand)})`)
  expect(read('README.md')).toContain(`[Add to VS Code](${vscodeWebLink(stdioCommand)})`)
})

test('the bundle for desktop clients is valid and lists every tool', () => {
  expect(v0_3.McpbManifestSchema.parse(bundleManifest)).toMatchObject({
    name: 'loci',
    server: { type: 'node' },
  })
  expect(bundleManifest.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(bundleManifest.tools.every(({ description }) => description !== '')).toBe(true)
})
