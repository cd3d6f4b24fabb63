// Plugin of opencode: runs the hooks of the other agents, and puts what they tell beside the prompt.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parse } from './agents.mjs'

const patienceMs = { 'recall.mjs': 30_000, 'prompt.mjs': 5_000 }

export const loci = async ({ client, directory }) => {
  /** Sessions that were told at their start, by whether they still have it. */
  const told = new Map()
  return {
    async event({ event: { type, properties } }) {
      if (type === 'session.compacted') told.set(properties.sessionID, false)
    },
    async 'chat.message'(input, output) {
      // A plugin that fails would keep the prompt from the agent.
      await tell(input, output).catch(() => {})
    },
  }

  async function tell({ sessionID }, { message, parts }) {
    const { data } = await client.session.get({ path: { id: sessionID } })
    // Nobody asks a subagent but another agent.
    if (data?.parentID) return
    const prompt = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? part.text : []))
    const source = told.get(sessionID) === false ? 'compact' : 'startup'
    const input = { session_id: sessionID, cwd: directory, source, prompt: prompt.join('\n') }
    const hooks = told.get(sessionID) ? ['prompt.mjs'] : ['recall.mjs', 'prompt.mjs']
    told.set(sessionID, true)
    for (const hook of hooks) {
      const context = await run(hook, input)
      // Parts are in the order of their ids.
      const id = `${parts.at(-1)?.id ?? 'prt_'}z`
      if (context)
        parts.push({ id, sessionID, messageID: message.id, type: 'text', text: context, synthetic: true })
    }
  }
}

/** What a hook tells. opencode runs plugins in a program of its own, so the hook has Node started. */
async function run(hook, input) {
  const script = fileURLToPath(new URL(hook, import.meta.url))
  const program = spawn('node', [script, 'opencode'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  })
  program.on('error', () => {})
  program.stdin.on('error', () => {})
  program.stdin.end(JSON.stringify(input))
  // A `node` that is a script may leave its output open when it has been ended.
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs[hook])
  })
  const output = await Promise.race([text(program.stdout), late])
  clearTimeout(timer)
  program.kill()
  return parse(output)?.hookSpecificOutput?.additionalContext
}
