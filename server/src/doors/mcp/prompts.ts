import type { MemoryRight } from '@loci/contract/rights'
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

type PromptDefinition = { listed: Prompt; right: MemoryRight; text: (args: Record<string, string>) => string }

const prompts: readonly PromptDefinition[] = [
  {
    listed: {
      name: 'recall_before_task',
      title: 'Recall before a task',
      description: 'Look up what is remembered about a task before starting it',
      arguments: [{ name: 'task', description: 'What you are about to do', required: true }],
    },
    right: 'memory:read',
    text: ({ task }) =>
      `Before you start on the task below, look up what you remember that bears on it. Call recall with two or three ` +
      `different questions about its people, projects and technologies, open the entities that matter with open_nodes, and ` +
      `look around the central one with explore_entity. Then say in a few sentences what you already know, what ` +
      `was decided before, and what is missing. Only then begin.\n\nTask: ${task}`,
  },
  {
    listed: {
      name: 'save_after_task',
      title: 'Save after a task',
      description: 'Store what was learned in this conversation',
      arguments: [{ name: 'focus', description: 'What to pay attention to, if anything in particular' }],
    },
    right: 'memory:write',
    text: ({ focus }) =>
      `Go through this conversation and save what will be worth knowing next time: people and their preferences, ` +
      `decisions with their reasons, how systems work, problems with their solutions. For each thing: recall or ` +
      `search_nodes first; create_entities only for what is not there; add_observations with short facts that stand ` +
      `alone, with names and dates; create_relations in active voice. Correct what turned out wrong. Leave out secrets ` +
      `and chatter. Then list what you saved.${focus === undefined || focus === '' ? '' : `\n\nPay attention to: ${focus}`}`,
  },
]

export const promptRights = prompts.map(({ listed, right }) => ({ name: listed.name, right }))

/** The prompts that a caller has the right to use. */
export function listPrompts(hasRight: (right: MemoryRight) => boolean): Prompt[] {
  return prompts.filter(({ right }) => hasRight(right)).map(({ listed }) => listed)
}

/** The messages of a prompt. Throws "invalid params" for an unknown one or a missing argument. */
export function getPrompt(name: string, args: Record<string, string> = {}): GetPromptResult {
  const prompt = requirePrompt(name)
  const missing = prompt.listed.arguments?.find(
    (argument) => argument.required === true && args[argument.name] === undefined,
  )
  if (missing !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Argument ${missing.name} is required`)
  return {
    description: prompt.listed.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(args) } }],
  }
}

/** Throws "invalid params" for a prompt that does not exist. */
export function requirePrompt(name: string): PromptDefinition {
  const prompt = prompts.find(({ listed }) => listed.name === name)
  if (prompt === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`)
  return prompt
}
