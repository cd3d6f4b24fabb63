import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '../../ground/config/config.ts'

/** `start`: at the start of a session, by a program. `prompt`: at each prompt, by a program. `tool`: by an MCP tool. */
type HookForm = 'start' | 'prompt' | 'tool'

/** A place where an agent looks for MCP servers, hooks, instructions or skills, and how our part stands in it. */
export type AgentFile =
  | { kind: 'json'; path: string; keys: readonly string[]; form?: 'typed' | 'copilot' | 'opencode' }
  | { kind: 'hook'; path: string; keys: readonly string[]; form: HookForm }
  | { kind: 'toml'; path: string }
  | { kind: 'instructions'; path: string }
  | { kind: 'rule'; path: string }
  | { kind: 'skill'; path: string }
  | { kind: 'plugin'; path: string }

export type KnownAgent = {
  id: string
  title: string
  /** Folders of which one exists where the agent is used. */
  folders: readonly string[]
  /** Several parts can stand in one file. */
  files: readonly AgentFile[]
  /** Where our plugin is enabled, which brings all of this itself. */
  plugin?: { path: string; keys: readonly string[] }
  /** What the person has to do there. */
  note?: string
}

/** The agents that can be connected, with the files of this person. docs/mcp.md describes each by hand. */
export function knownAgents({ home, platform, env }: Surroundings): KnownAgent[] {
  const at = (...parts: string[]) => join(home, ...parts)
  const codex = env.CODEX_HOME ?? at('.codex')
  const claude = env.CLAUDE_CONFIG_DIR ?? at('.claude')
  // With its own folder, Claude Code keeps the file of its settings there too.
  const claudeSettings = env.CLAUDE_CONFIG_DIR ? join(claude, '.claude.json') : at('.claude.json')
  const gemini = join(env.GEMINI_CLI_HOME ?? home, '.gemini')
  const copilot = env.COPILOT_HOME ?? at('.copilot')
  const qwen = env.QWEN_HOME ?? at('.qwen')
  const code = codeFolder({ home, platform, env })
  const opencode = join(env.XDG_CONFIG_HOME ?? at('.config'), 'opencode')
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      folders: [claude],
      files: [
        { kind: 'json', path: claudeSettings, keys: ['mcpServers', 'loci'], form: 'typed' },
        skillIn(claude),
        { kind: 'hook', path: join(claude, 'settings.json'), keys: ['hooks', 'SessionStart'], form: 'start' },
        {
          kind: 'hook',
          path: join(claude, 'settings.json'),
          keys: ['hooks', 'UserPromptSubmit'],
          form: 'tool',
        },
      ],
      plugin: { path: join(claude, 'settings.json'), keys: ['enabledPlugins', 'loci@loci'] },
    },
    {
      id: 'codex',
      title: 'Codex',
      folders: [codex],
      files: [
        { kind: 'toml', path: join(codex, 'config.toml') },
        { kind: 'instructions', path: join(codex, 'AGENTS.md') },
        skillIn(codex),
        { kind: 'hook', path: join(codex, 'hooks.json'), keys: ['hooks', 'SessionStart'], form: 'start' },
        { kind: 'hook', path: join(codex, 'hooks.json'), keys: ['hooks', 'UserPromptSubmit'], form: 'tool' },
      ],
      note: 'Codex asks at its next start whether you trust these hooks, and runs them only then (later: /hooks).',
    },
    {
      id: 'cursor',
      title: 'Cursor',
      folders: [at('.cursor')],
      files: [
        { kind: 'json', path: at('.cursor', 'mcp.json'), keys: ['mcpServers', 'loci'] },
        skillIn(at('.cursor')),
        { kind: 'hook', path: at('.cursor', 'hooks.json'), keys: ['hooks', 'sessionStart'], form: 'start' },
        {
          kind: 'hook',
          path: at('.cursor', 'hooks.json'),
          keys: ['hooks', 'beforeSubmitPrompt'],
          form: 'prompt',
        },
      ],
    },
    {
      id: 'vscode',
      title: 'VS Code',
      folders: [code],
      files: [
        { kind: 'json', path: join(code, 'mcp.json'), keys: ['servers', 'loci'], form: 'typed' },
        { kind: 'rule', path: join(code, 'prompts', 'loci.instructions.md') },
      ],
    },
    {
      id: 'gemini',
      title: 'Gemini CLI',
      folders: [gemini],
      files: [
        { kind: 'json', path: join(gemini, 'settings.json'), keys: ['mcpServers', 'loci'] },
        {
          kind: 'hook',
          path: join(gemini, 'settings.json'),
          keys: ['hooks', 'SessionStart'],
          form: 'start',
        },
        {
          kind: 'hook',
          path: join(gemini, 'settings.json'),
          keys: ['hooks', 'BeforeAgent'],
          form: 'prompt',
        },
        { kind: 'instructions', path: join(gemini, 'GEMINI.md') },
        skillIn(gemini),
      ],
      note: 'Gemini CLI starts Loci only in folders that you trust.',
    },
    {
      id: 'copilot',
      title: 'Copilot CLI',
      folders: [copilot],
      files: [
        {
          kind: 'json',
          path: join(copilot, 'mcp-config.json'),
          keys: ['mcpServers', 'loci'],
          form: 'copilot',
        },
        {
          kind: 'hook',
          path: join(copilot, 'hooks', 'loci.json'),
          keys: ['hooks', 'sessionStart'],
          form: 'start',
        },
        {
          ...{ kind: 'hook', path: join(copilot, 'hooks', 'loci.json') },
          ...{ keys: ['hooks', 'userPromptSubmitted'], form: 'prompt' },
        },
        { kind: 'instructions', path: join(copilot, 'copilot-instructions.md') },
        skillIn(copilot),
      ],
    },
    {
      id: 'opencode',
      title: 'opencode',
      folders: [join(env.XDG_DATA_HOME ?? at('.local', 'share'), 'opencode'), opencode],
      files: [
        { kind: 'json', path: opencodeSettings(opencode), keys: ['mcp', 'loci'], form: 'opencode' },
        { kind: 'instructions', path: join(opencode, 'AGENTS.md') },
        skillIn(opencode),
        { kind: 'plugin', path: join(opencode, 'plugins', 'loci.js') },
      ],
    },
    {
      id: 'qwen',
      title: 'Qwen Code',
      folders: [qwen],
      files: [
        { kind: 'json', path: join(qwen, 'settings.json'), keys: ['mcpServers', 'loci'] },
        { kind: 'hook', path: join(qwen, 'settings.json'), keys: ['hooks', 'SessionStart'], form: 'start' },
        {
          kind: 'hook',
          path: join(qwen, 'settings.json'),
          keys: ['hooks', 'UserPromptSubmit'],
          form: 'prompt',
        },
        { kind: 'instructions', path: join(qwen, 'QWEN.md') },
        skillIn(qwen),
      ],
    },
  ]
}

const skillIn = (folder: string): AgentFile => ({
  kind: 'skill',
  path: join(folder, 'skills', 'loci-memory', 'SKILL.md'),
})

/** opencode reads both; a second file beside the person's own would be a surprise. */
function opencodeSettings(folder: string): string {
  const withComments = join(folder, 'opencode.jsonc')
  return existsSync(withComments) ? withComments : join(folder, 'opencode.json')
}

function codeFolder({ home, platform, env }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Code', 'User')
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Code', 'User')
}
