// What programs of agents give to a hook and take from it. Claude Code, Codex and Gemini CLI share a form.

import { text } from 'node:stream/consumers'

/** The object on standard input. Throws an error with words for people if there is none. */
export async function readInput() {
  const input = parse(await text(process.stdin))
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Error('standard input is no JSON object')
  return input
}

/** The value of a line of JSON; undefined if it is none. */
export function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What was given: each program has its own names for it. */
export function given({ session_id, sessionId, conversation_id, cwd, workspace_roots, prompt }) {
  const [root] = Array.isArray(workspace_roots) ? workspace_roots : []
  return {
    session: firstText(session_id, sessionId, conversation_id),
    folder: firstText(cwd, root) ?? process.cwd(),
    prompt: shortened(firstText(prompt) ?? ''),
  }
}

/** A question to Loci ends at 2 MB, in which a character can take six bytes. */
const promptCharactersMax = 300_000

/** Names stand at the start of a prompt; its end shows whether a program wrote it. */
const shortened = (text) =>
  text.length <= promptCharactersMax
    ? text
    : `${text.slice(0, promptCharactersMax / 2)}\n${text.slice(-promptCharactersMax / 2)}`

const firstText = (...values) => values.find((value) => typeof value === 'string')

/**
 * Claude Code, Copilot CLI, Gemini CLI and Qwen Code put what a hook tells between these tags. A stored text with one
 * of them would end that early.
 */
const tagsAround = /<(?=\s*\/?\s*(?:system[-_]reminder|hook_context|qwen:))/gi

/** The text as a program takes it, for its event of this name. */
export function asOutput(agent, hookEventName, text) {
  const additionalContext = text.replace(tagsAround, '&lt;')
  if (agent === 'copilot') return { additionalContext }
  if (agent === 'cursor') return { additional_context: additionalContext }
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}
