// Hook for the start of a session: gives the agent what the memory holds about this project and the user. If the
// memory is unreachable, it must not disturb the session, so it only writes a line to standard error; nothing if it does
// not answer in time.
import { spawnSync } from 'node:child_process'
import { asOutput, given, readInput } from './agents.mjs'
import { readMark, storeMark } from './last-here.mjs'
import { Late, withMemory } from './memory.mjs'
import { projectNameOf } from './project.mjs'
import { contextOf, contextOfChanges } from './session-context.mjs'

/** A person waits for it. Only a server that is being installed may take longer. */
const patience = { startMs: 20_000, answerMs: 5_000 }
const agent = process.argv[2] ?? 'claude-code'
/** They keep what a hook told in the session, and have it again when it is resumed. */
const isKept = ['claude-code', 'codex'].includes(agent)

try {
  const input = await readInput()
  const { folder: cwd, session } = given(input)
  const { source } = input
  const about = { project: projectNameOf(cwd), userName: git(cwd, 'config', 'user.name') }
  const after = readMark()
  const { context: additionalContext, newest } = await withMemory(async (call) => {
    if (session !== undefined && ['clear', 'compact'].includes(source)) await forgetTold(call, session)
    const { newest, changes } = await openChanges(call, after)
    const since = { after, changes }
    const isThere = isKept && source === 'resume'
    return { newest, context: isThere ? contextOfChanges(since) : await contextOf(call, { ...about, since }) }
  }, patience)
  if (additionalContext !== undefined)
    console.log(JSON.stringify(asOutput(agent, input.hook_event_name ?? 'SessionStart', additionalContext)))
  if (newest !== undefined) storeMark(newest)
} catch (error) {
  if (!(error instanceof Late)) console.error(`Loci could not recall: ${error.message}`)
}
// At once, whatever is still open.
process.stdout.write('', () => process.exit(0))

/** The agent no longer has what prompts called to mind. A Loci that is too old to know of it tells nothing twice. */
function forgetTold(call, session) {
  return call('prompt_context', { prompt: '', session, event: 'SessionStart' }).catch(() => {})
}

/** What others changed after the mark; nothing from a Loci that is too old to tell. */
function openChanges(call, after) {
  return call('changes_by_others', { after }).catch(() => ({ newest: undefined, changes: [] }))
}

/** The answer of a git command; undefined if it has none. */
function git(folder, ...args) {
  return spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout?.trim() || undefined
}
