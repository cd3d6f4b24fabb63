import { z } from 'zod'

/** The newest conversations, which are counted. */
export const countedConversationsMax = 20_000
/** The projects that are named: those with the most conversations. */
export const countedProjectsMax = 100

const numbers = { conversations: z.number().int(), turns: z.number().int(), bytes: z.number().int() }

/** The conversations of a space: all of them, and those of each agent and project, the largest numbers first. */
export const ConversationCounts = z.object({
  ...numbers,
  /** False if there are more than {@link countedConversationsMax}. */
  isComplete: z.boolean(),
  agents: z.array(z.object({ agent: z.string(), ...numbers })),
  /** Conversations without a project are in none of them. */
  projects: z.array(z.object({ name: z.string(), ...numbers })),
})
export type ConversationCounts = z.infer<typeof ConversationCounts>
