import {
  type ConversationCounts,
  countedConversationsMax,
  countedFactsMax,
  countedProjectsMax,
} from '@loci/contract/conversation-counts'
import type { ConversationsOnly } from '@loci/contract/conversations'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type CountedGroup, countExisting, countNewest, countSourced } from './conversation-counts.repo.ts'
import { findConversationsOnly } from './conversations-only.ts'

type Numbers = Pick<CountedGroup, 'conversations' | 'turns' | 'bytes'>

/** How many conversations, turns, bytes and facts there are, in all and by what narrows their list. */
export async function countConversations({ db, config }: Context, actor: Actor): Promise<ConversationCounts> {
  const countOnly = async (only: ConversationsOnly) =>
    countExisting(db, actor, await findConversationsOnly(db, actor, only))
  const groups = await countNewest(db, actor, countedConversationsMax + 1)
  const all = sum(groups)
  const projects = groups.filter(({ project }) => project !== null)
  return {
    ...all,
    facts: await countSourced(db, actor, countedFactsMax),
    only: {
      facts: await countOnly('facts'),
      to_decide: await countOnly('to_decide'),
      failed: await countOnly('failed'),
    },
    isComplete: all.conversations <= countedConversationsMax,
    serverDays: config.conversationDays ?? null,
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
