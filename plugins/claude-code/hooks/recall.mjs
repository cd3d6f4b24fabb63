// SessionStart hook: gives Claude what the memory holds about this project. If the memory is unreachable, it must not
// disturb the session, so it only writes a line to standard error.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** Claude Code truncates anything longer than 10,000 characters. */
const charactersMax = 9_000
const patienceMs = 25_000

try {
  const { cwd = process.cwd(), hook_event_name: hookEventName = 'SessionStart' } = JSON.parse(
    await text(process.stdin),
  )
  const project = nameOfProject(cwd)
  const [aboutProject, aboutUser] = await recall([
    { query: project, maxTokens: 1_500 },
    { query: 'preferences and habits of the user', maxTokens: 600 },
  ])
  const told = new Set(aboutProject)
  const rest = aboutUser.filter((paragraph) => !told.has(paragraph))
  const additionalContext = toContext(project, aboutProject, rest).slice(0, charactersMax)
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }))
} catch (error) {
  console.error(`Loci could not recall: ${error.message}`)
}

/** The name of the repository that the folder was cloned from, otherwise the folder's name. */
function nameOfProject(folder) {
  const git = spawnSync('git', ['-C', folder, 'remote', 'get-url', 'origin'], { encoding: 'utf8' })
  const remote = /([^/:]+?)(?:\.git)?\/?$/.exec(git.stdout?.trim() ?? '')?.[1]
  return remote ?? basename(folder)
}

/** Starts the plugin's server and queries it as Claude Code does: over standard input and output. */
function recall(questions) {
  const { mcpServers } = JSON.parse(readFileSync(new URL('../.mcp.json', import.meta.url), 'utf8'))
  const [{ command, args }] = Object.values(mcpServers)
  const { CLAUDE_PLUGIN_OPTION_ADDRESS: url, CLAUDE_PLUGIN_OPTION_API_KEY: key, ...env } = process.env
  if (url) Object.assign(env, { LOCI_URL: url })
  if (key) Object.assign(env, { LOCI_API_KEY: key })
  // On Windows npx is a command file, which only a shell can start.
  const shell = process.platform === 'win32'
  const server = spawn(command, args, { env, shell, stdio: ['pipe', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('no answer in time')), patienceMs)
    const answers = new Map()
    const fail = (error) => {
      clearTimeout(timer)
      server.kill()
      reject(error)
    }
    server.on('error', fail)
    server.stdin.on('error', fail)
    server.on('exit', () => fail(new Error('the server ended without an answer')))
    createInterface({ input: server.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line)
      if (error !== undefined || result?.isError) {
        fail(new Error(error?.message ?? result.content[0].text))
      } else if (typeof id === 'number') answers.set(id, result)
      if (answers.size < questions.length + 1) return
      clearTimeout(timer)
      resolve(questions.map((_, index) => foundIn(answers.get(index + 1))))
    })
    for (const message of messages(questions)) server.stdin.write(`${JSON.stringify(message)}\n`)
    server.stdin.end()
  })
}

function messages(questions) {
  const clientInfo = { name: 'claude-code', title: 'Claude Code', version: '1' }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  return [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ...questions.map((question, index) => ({
      jsonrpc: '2.0',
      id: index + 1,
      method: 'tools/call',
      params: { name: 'recall', arguments: question },
    })),
  ]
}

/** The paragraphs of a result; none if nothing is known. */
function foundIn({ content, structuredContent = {} }) {
  const { observations = [], relations = [], entities = [] } = structuredContent
  return observations.length + relations.length + entities.length === 0 ? [] : content[0].text.split('\n\n')
}

function toContext(project, aboutProject, aboutUser) {
  const parts =
    aboutProject.length === 0
      ? [
          `Loci, your memory across sessions, holds nothing about the project ${project} yet. Save what the next session should know.`,
        ]
      : [
          `From Loci, your memory across sessions, about the project ${project}. These notes may be out of date: check them against the code, and correct them. Ask recall for more.`,
          ...aboutProject,
        ]
  if (aboutUser.length > 0) parts.push('About the user:', ...aboutUser)
  return parts.join('\n\n')
}
