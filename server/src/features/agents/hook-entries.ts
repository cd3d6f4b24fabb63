/** The programs that our hooks run; `opencode` is a plugin. */
export type HookScripts = { start: string; prompt: string; opencode: string }

const statusMessage = 'Recalling from Loci ...'
const startSeconds = 30
const promptSeconds = 5
const promptTool = 'prompt_context'

/** Whether an element of a list of hooks is ours. */
export const isOurHook = (hook: string): boolean =>
  hook.includes(statusMessage) ||
  hook.includes(`"${promptTool}"`) ||
  /[\\/]hooks[\\/]+(?:recall|prompt)\.mjs\b/.test(hook)

type HookForm = 'start' | 'prompt' | 'tool'

/** Our elements of an agent's list of hooks, the last one first. */
export function hookEntries(agent: string, form: HookForm, scripts: HookScripts): unknown[] {
  const entry = hookEntry(agent, form, scripts)
  return agent === 'claude-code' && form === 'start' ? [compactEntry, entry] : [entry]
}

/** An element in the form that the agent's documentation gives. */
function hookEntry(agent: string, form: HookForm, scripts: HookScripts): unknown {
  if (form === 'tool') return { hooks: [toolHook(agent)] }
  const seconds = form === 'start' ? startSeconds : promptSeconds
  const script = scripts[form]
  switch (agent) {
    case 'claude-code':
      return {
        hooks: [{ type: 'command', command: 'node', args: [script], timeout: seconds, statusMessage }],
      }
    case 'codex':
    case 'qwen':
      return {
        hooks: [{ type: 'command', command: commandOf(script, agent), timeout: seconds, statusMessage }],
      }
    case 'gemini':
      return {
        hooks: [
          { name: 'loci', type: 'command', command: commandOf(script, agent), timeout: seconds * 1000 },
        ],
      }
    case 'copilot': {
      const bash = commandOf(script, agent)
      return { type: 'command', bash, powershell: windowsCommand(script, agent), timeoutSec: seconds }
    }
    default:
      return { command: commandOf(script, agent), timeout: seconds }
  }
}

/** Claude Code and Codex call a tool of the server that they have open. */
const toolHook = (agent: string) => ({
  type: 'mcp_tool',
  server: 'loci',
  tool: promptTool,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent fills these in.
  input: { prompt: '${prompt}', session: '${session_id}', folder: '${cwd}', agent },
  timeout: promptSeconds,
})

/** After it, the agent no longer has what prompts called to mind. At other starts the server is not there yet. */
const compactEntry = {
  matcher: 'compact',
  hooks: [
    {
      ...toolHook('claude-code'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
      input: { prompt: '', session: '${session_id}', event: 'SessionStart' },
    },
  ],
}

/** For a shell. */
const commandOf = (script: string, agent: string): string =>
  process.platform === 'win32'
    ? windowsCommand(script, agent)
    : `node '${script.replaceAll("'", "'\\''")}' ${agent}`

/** A path cannot hold a double quote there. */
const windowsCommand = (script: string, agent: string): string => `node "${script}" ${agent}`
