import { join } from 'node:path'
import type { Surroundings } from '../../ground/config/config.ts'

/** A place where an agent looks for MCP servers, instructions or skills, and how our part stands in it. */
export type AgentFile =
  | { kind: 'json'; path: string; keys: readonly string[]; typed?: boolean }
  | { kind: 'hook'; path: string; keys: readonly string[] }
  | { kind: 'toml'; path: string }
  | { kind: 'instructions'; path: string }
  | { kind: 'skill'; path: string }

export type KnownAgent = {
  id: string
  title: string
  /** Folders of which one exists where the agent is used. */
  folders: readonly string[]
  files: readonly AgentFile[]
  /** Where our plugin is enabled, which brings all of this itself. */
  plugin?: { path: string; keys: readonly string[] }
}

/** The agents that can be connected, with the files of this person. docs/mcp.md describes each by hand. */
export function knownAgents({ home, platform, env }: Surroundings): KnownAgent[] {
  const at = (...parts: string[]) => join(home, ...parts)
  const codex = env.CODEX_HOME ?? at('.codex')
  const claude = env.CLAUDE_CONFIG_DIR ?? at('.claude')
  // With its own folder, Claude Code keeps the file of its settings there too.
  const claudeSettings = env.CLAUDE_CONFIG_DIR ? join(claude, '.claude.json') : at('.claude.json')
  const code = codeFolder({ home, platform, env })
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      folders: [claude],
      files: [
        { kind: 'json', path: claudeSettings, keys: ['mcpServers', 'loci'], typed: true },
        { kind: 'skill', path: join(claude, 'skills', 'loci-memory', 'SKILL.md') },
        { kind: 'hook', path: join(claude, 'settings.json'), keys: ['hooks', 'SessionStart'] },
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
      ],
    },
    {
      id: 'cursor',
      title: 'Cursor',
      folders: [at('.cursor')],
      files: [{ kind: 'json', path: at('.cursor', 'mcp.json'), keys: ['mcpServers', 'loci'] }],
    },
    {
      id: 'vscode',
      title: 'VS Code',
      folders: [code],
      files: [{ kind: 'json', path: join(code, 'mcp.json'), keys: ['servers', 'loci'], typed: true }],
    },
    {
      id: 'gemini',
      title: 'Gemini CLI',
      folders: [at('.gemini')],
      files: [
        { kind: 'json', path: at('.gemini', 'settings.json'), keys: ['mcpServers', 'loci'] },
        { kind: 'instructions', path: at('.gemini', 'GEMINI.md') },
      ],
    },
    // Their conversations can be followed; docs/mcp.md describes how to add the server by hand.
    { id: 'copilot', title: 'Copilot CLI', folders: [at('.copilot', 'session-state')], files: [] },
    { id: 'opencode', title: 'opencode', folders: [at('.local', 'share', 'opencode')], files: [] },
  ]
}

function codeFolder({ home, platform, env }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Code', 'User')
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Code', 'User')
}
