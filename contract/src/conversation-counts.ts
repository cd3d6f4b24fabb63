import { z } from 'zod'

/** The newest conversations, which are counted. */
export const countedConversationsMax = 20_000
/** The projects that are named: those with the most conversations. */
export const countedProjectsMax = 100

/** Facts are counted no further. */
export const countedFactsMax = 20_000

const numbers = { conversations: z.number().int(), turns: z.number().int(), bytes: z.number().int() }

/** The conversations of a space: all of them, and those of each agent and project, the largest numbers first. */
export const ConversationCounts = z.object({
  ...numbers,
  /** Observations that name a conversation as their source, at most {@link countedFactsMax}. */
  facts: z.number().int(),
  /** How many conversations each value of `only` finds. */
  only: z.object({ facts: z.number().int(), to_decide: z.number().int(), failed: z.number().int() }),
  /** False if there are more than {@link countedConversationsMax}. */
  isComplete: z.boolean(),
  /** After how many days without a new turn the server deletes a conversation; null for never. */
  serverDays: z.number().int().nullable(),
  agents: z.array(z.object({ agent: z.string(), ...numbers })),
  /** Conversations without a project are in none of them. */
  projects: z.array(z.object({ name: z.string(), ...numbers })),
})
export type ConversationCounts = z.infer<typeof ConversationCounts>
