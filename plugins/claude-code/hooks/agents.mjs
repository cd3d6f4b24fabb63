// What programs of agents give to a hook and take from it. Claude Code, Codex and Gemini CLI share a form.

/** What was given: each program has its own names for it. */
export function given(input) {
  const { session_id, sessionId, conversation_id, cwd, workspace_roots: [root] = [], prompt = '' } = input
  return { session: session_id ?? sessionId ?? conversation_id, folder: cwd ?? root ?? process.cwd(), prompt }
}

/** The text as a program takes it, for its event of this name. */
export function asOutput(agent, hookEventName, additionalContext) {
  if (agent === 'copilot') return { additionalContext }
  if (agent === 'cursor') return { additional_context: additionalContext }
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}
