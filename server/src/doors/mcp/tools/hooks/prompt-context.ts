import { z } from 'zod'
import { nameOfFolder, projectNameOf } from '../../../../../../plugins/claude-code/hooks/project.mjs'
import { contextOfPrompt } from '../../../../features/memories/prompt-context.ts'
import { forgetToldIn } from '../../../../features/memories/told-in-session.ts'
import { saidByPerson } from '../../../../features/transcripts/readers/reader.ts'
import { type Tool, ToolInputError } from '../../tool.ts'

/** Hooks fill in what their program gives them, which may be nothing. */
const given = z
  .string()
  .max(4_096)
  .transform((text) => (text === '' || text.startsWith('${') ? undefined : text))
  .optional()

const promptCharactersMax = 1_000_000

/** Names stand at the start of a prompt; its end shows whether a program wrote it. */
const shortened = (text: string) =>
  text.length <= promptCharactersMax
    ? text
    : `${text.slice(0, promptCharactersMax / 2)}\n${text.slice(-promptCharactersMax / 2)}`

const input = z.object({
  prompt: z.string().transform(shortened),
  session: given,
  agent: given,
  folder: given.describe('Where the agent works'),
  event: given.describe('Name of the hook; SessionStart: what was told in the session may be told again'),
})

const event = 'UserPromptSubmit'

/**
 * What a prompt calls to mind, as the output of a hook: JSON in a text, since Claude Code and Codex take nothing else
 * from an MCP tool that a hook calls. Without anything to tell, an empty object.
 */
export const promptContextTool: Tool = {
  name: 'prompt_context',
  listed: {
    name: 'prompt_context',
    title: 'Context of a prompt',
    description: 'For hooks: what the memory holds about what a prompt names',
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as Tool['listed']['inputSchema'],
  },
  get listedWithView() {
    return this.listed
  },
  right: 'memory:read',
  operation: { requires: 'memory:read', type: 'query', resource: 'graph' },
  isCheck: true,
  onlyWithSpaces: false,
  onlyWithConversations: false,
  async call(ctx, actor, args) {
    const parsed = input.safeParse(args)
    if (!parsed.success) throw new ToolInputError('A hook sends the text of a prompt as "prompt"')
    const { session, agent, folder, event: hookEventName = event } = parsed.data
    if (hookEventName === 'SessionStart' && session !== undefined) forgetToldIn(ctx, actor, session)
    // Programs report in the person's name, as Claude Code does when a task in the background ends.
    const prompt = saidByPerson(parsed.data.prompt)
    // Others name folders of their own machine.
    const nameOf = actor.kind === 'local' ? projectNameOf : nameOfFolder
    const project = folder === undefined ? undefined : nameOf(folder)
    const additionalContext = await contextOfPrompt(ctx, actor, { prompt, session, agent, project })
    const output = additionalContext && { hookSpecificOutput: { hookEventName, additionalContext } }
    return { content: [{ type: 'text', text: JSON.stringify(output ?? {}) }] }
  },
}
