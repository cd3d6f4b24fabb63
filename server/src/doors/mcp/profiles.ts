import type { FastifyRequest } from 'fastify'
import type { Tool } from './tool.ts'
import { fetchTool } from './tools/chatgpt/fetch.ts'
import { searchTool } from './tools/chatgpt/search.ts'
import { changesByOthersTool } from './tools/hooks/changes-by-others.ts'
import { promptContextTool } from './tools/hooks/prompt-context.ts'
import { tools } from './tools/index.ts'

/** Clients that look for tools with certain names: `chatgpt` also gets `search` and `fetch`. */
export type Profile = 'chatgpt' | undefined

const toolsByProfile = { chatgpt: [searchTool, fetchTool, ...tools], usual: tools } as const
const byName = (list: readonly Tool[]) => new Map(list.map((tool) => [tool.name, tool]))
/** Called by the hooks of agents' programs, never by models, so they are not listed. */
const toolsOfHooks = [promptContextTool, changesByOthersTool]
const toolByName = {
  chatgpt: byName([...toolsByProfile.chatgpt, ...toolsOfHooks]),
  usual: byName([...tools, ...toolsOfHooks]),
}

export const toolsIn = (profile: Profile): readonly Tool[] => toolsByProfile[profile ?? 'usual']

export const findTool = (name: string, profile?: Profile): Tool | undefined =>
  toolByName[profile ?? 'usual'].get(name)

/** The profile in the address: `/mcp?profile=chatgpt`. */
export function profileOf({ query }: Pick<FastifyRequest, 'query'>): Profile {
  return Reflect.get(Object(query), 'profile') === 'chatgpt' ? 'chatgpt' : undefined
}
