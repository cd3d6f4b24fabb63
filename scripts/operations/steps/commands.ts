import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documented, notRun, take } from '../declared.ts'
import { root } from '../documented.ts'
import { type Place, shell } from '../place.ts'
import { unitEnvironment } from '../unit.ts'

const help = documented('loci <command> --help')
const mcp = documented('loci mcp')
const embeddings = ['status', 'rebuild', 'off'].map((name) => documented(`loci embeddings ${name}`))

notRun('its package is not published yet', 'npx @loci/loci <command> --help', 'npx @loci/loci connect')
notRun(
  'downloads a model or asks a server for vectors; model-runtimes.test.ts does',
  'loci embeddings use local',
  'loci embeddings use local --model multilingual-e5-small',
  'loci embeddings use local --model use-lite-en',
  'loci embeddings use ollama',
  'loci embeddings use openai',
  'npm install @huggingface/transformers',
)
notRun(
  'needs Stripe; the tests of billing run it against a double',
  'loci billing reconcile',
  'loci billing reconcile --dry-run',
  'loci billing end-sandbox',
  'stripe listen --forward-to localhost:7400/api/billing/webhook',
)

/** The names in the first column of the table of commands. */
function listCommands(): string[] {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const rows = page
    .slice(page.indexOf('## Commands'), page.indexOf('## Backups'))
    .matchAll(/^\| (`.*?`) \|/gm)
  return [...rows].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].flatMap(([, text]) => namesIn(text!.replaceAll('\\|', '|'))),
  )
}

/** `user create|list` is two commands; capitals, options and the like are arguments. */
function namesIn(text: string): string[] {
  const words = text.split(' ')
  const isArgument = (word: string) => /^[[A-Z-]/.test(word)
  const [noun = '', verbs = ''] = words.slice(0, words.findIndex(isArgument) >>> 0)
  return verbs === '' ? [noun] : verbs.split('|').map((verb) => `${noun} ${verb}`)
}

/** Every command of the table exists. */
export async function helpOfAll(place: Place): Promise<void> {
  const commands = listCommands()
  assert.ok(commands.length > 30, commands.join())
  const script = commands.map((name) => take(help).replace('<command>', name)).join('\n')
  const said = await shell(place, script, await unitEnvironment(place))
  for (const name of commands) assert.ok(said.includes(`Usage: loci ${name}`), `${name} is not a command`)
}

const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** An agent beside the running server, and the commands about vectors. */
export async function runBeside(place: Place): Promise<void> {
  const env = await unitEnvironment(place)
  const said = await shell(place, take(mcp), env, `${JSON.stringify(hello)}\n`)
  assert.equal(JSON.parse(said.split('\n')[0]!).result.serverInfo.name, 'loci')
  for (const one of embeddings) await shell(place, `${take(one)} || [ $? = 1 ]`, env)
}
