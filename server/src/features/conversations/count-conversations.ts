import {
  type ConversationCounts,
  countedConversationsMax,
  countedProjectsMax,
} from '@loci/contract/conversation-counts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type CountedGroup, countNewest } from './conversation-counts.repo.ts'

type Numbers = Pick<CountedGroup, 'conversations' | 'turns' | 'bytes'>

/** How many conversations, turns and bytes there are, in all and by agent and project. */
export async function countConversations({ db }: Context, actor: Actor): Promise<ConversationCounts> {
  const groups = await countNewest(db, actor, countedConversationsMax + 1)
  const all = sum(groups)
  const projects = groups.filter(({ project }) => project !== null)
  return {
    ...all,
    isComplete: all.conversations <= countedConversationsMax,
    agents: sumsBy(groups, ({ agent }) => agent).map(([agent, numbers]) => ({ agent, ...numbers })),
    projects: sumsBy(projects, ({ project }) => project!)
      .slice(0, countedProjectsMax)
      .map(([name, numbers]) => ({ name, ...numbers })),
  }
}

const sum = (groups: readonly Numbers[]): Numbers =>
  groups.reduce(
    (all, { conversations, turns, bytes }) => ({
      conversations: all.conversations + conversations,
      turns: all.turns + turns,
      bytes: all.bytes + bytes,
    }),
    { conversations: 0, turns: 0, bytes: 0 },
  )

/** The largest numbers first. */
const sumsBy = (groups: readonly CountedGroup[], keyOf: (group: CountedGroup) => string) =>
  [...Map.groupBy(groups, keyOf)]
    .map(([key, members]): [string, Numbers] => [key, sum(members)])
    .sort(([, one], [, other]) => other.conversations - one.conversations)
