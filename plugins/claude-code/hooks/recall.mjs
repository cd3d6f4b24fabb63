// Hook for the start of a session: gives the agent what the memory holds about this project and the user. If the memory is unreachable,
// it must not disturb the session, so it only writes a line to standard error.
import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { asOutput, given } from './agents.mjs'
import { withMemory } from './memory.mjs'
import { contextOf } from './session-context.mjs'

const patienceMs = 20_000
const agent = process.argv[2] ?? 'claude-code'

try {
  const input = JSON.parse(await text(process.stdin))
  const { folder: cwd } = given(input)
  const about = { project: nameOfProject(cwd), userName: git(cwd, 'config', 'user.name') }
  const additionalContext = await withMemory((call) => contextOf(call, about), patienceMs)
  if (additionalContext !== undefined)
    console.log(JSON.stringify(asOutput(agent, input.hook_event_name ?? 'SessionStart', additionalContext)))
} catch (error) {
  console.error(`Loci could not recall: ${error.message}`)
}
// At once, whatever is still open.
process.stdout.write('', () => process.exit(0))

/** The name of the repository that the folder was cloned from, otherwise the folder's name. */
function nameOfProject(folder) {
  const remote = git(folder, 'remote', 'get-url', 'origin')
  return /([^/:]+?)(?:\.git)?\/?$/.exec(remote ?? '')?.[1] ?? basename(folder)
}

/** The answer of a git command; undefined if it has none. */
function git(folder, ...args) {
  return spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout?.trim() || undefined
}
