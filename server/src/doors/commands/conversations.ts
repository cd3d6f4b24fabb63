import { type Conversation, ListConversationsQuery } from '@loci/contract/conversations'
import type { Command } from 'commander'
import { deleteConversation } from '../../features/conversations/delete-conversation.ts'
import { eraseConversations } from '../../features/conversations/erase-conversation.ts'
import { listConversations } from '../../features/conversations/list-conversations.ts'
import { ConfigError } from '../../ground/config/config.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  type AccountOption,
  accountOption,
  onAccount,
  readingAccount,
  spaceOption,
} from './account-option.ts'
import { parseInput } from './parse-input.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { requireConsent } from './prompt.ts'

type Filters = Partial<Record<'agent' | 'project' | 'file' | 'query' | 'after' | 'before', string>>
type Options = AccountOption & Filters
type RemovalOptions = Options & { all?: boolean; yes?: boolean }

/** `loci conversations list|delete|erase`. */
export function registerConversationCommands(program: Command): void {
  const conversations = program
    .command('conversations')
    .description('list and delete what was said to the agents that this memory follows')
  withFilters(conversations.command('list').description('list conversations, the newest first'))
    .option(...jsonOption)
    .action(list)
  withFilters(
    conversations
      .command('delete')
      .description('delete conversations; there is no undo')
      .argument('[id...]', 'as shown by "loci conversations list"; or choose them by the options'),
  )
    .option('--all', 'all of them')
    .option('--yes', 'do not ask')
    .action((ids, options) => remove(ids, options, 'delete'))
  withFilters(
    conversations
      .command('erase')
      .description(
        'delete conversations so that nothing of what was said is left in the file of the database',
      )
      .argument('[id...]', 'as shown by "loci conversations list"; or choose them by the options'),
  )
    .option('--all', 'all of them')
    .option('--yes', 'do not ask')
    .action((ids, options) => remove(ids, options, 'erase'))
}

const withFilters = (command: Command): Command =>
  command
    .option('--agent <agent>', 'those of an agent, such as claude-code')
    .option('--project <project>', 'those of a project, by its name or path')
    .option('--file <path>', 'those that named a file')
    .option('--query <words>', 'those with these words in their title')
    .option('--after <date>', 'those that went on after a date')
    .option('--before <date>', 'those that began before a date')
    .option(...accountOption)
    .option(...spaceOption)

const columns: readonly Column<Conversation>[] = [
  { title: 'ID', width: 10, value: ({ id }) => id },
  { title: 'LAST TURN', width: 20, value: ({ endedAt }) => endedAt.slice(0, 16) },
  { title: 'AGENT', width: 12, value: ({ agent }) => agent },
  { title: 'PROJECT', width: 16, value: ({ project }) => project?.name ?? '-' },
  { title: 'TURNS', width: 6, value: ({ turns }) => turns },
  { title: 'TITLE', width: 0, value: ({ title }) => title.slice(0, 80) },
]

async function list(options: Options & { json?: boolean }): Promise<void> {
  const query = toQuery(options)
  await readingAccount(options, 'conversations list', async (ctx, actor) => {
    await printList(allConversations(ctx, actor, query), columns, options)
  })
}

/** Throws {@link ConfigError} for values that no list takes. */
function toQuery({ agent, project, file, query, after, before }: Filters): ListConversationsQuery {
  return parseInput(ListConversationsQuery, { agent, project, file, query, after, before })
}

async function* allConversations(
  ctx: Context,
  actor: Actor,
  query: ListConversationsQuery,
): AsyncGenerator<Conversation, void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listConversations(ctx, actor, { ...query, ...(cursor && { cursor }) })
    yield* page.conversations
    cursor = page.nextCursor
  }
}

const deleteConversations = async (ctx: Context, actor: Actor, ids: readonly string[]): Promise<void> => {
  for (const id of ids) await deleteConversation(ctx, actor, id)
}

const removals = {
  delete: { remove: deleteConversations, done: 'Deleted', command: 'conversations delete' },
  erase: { remove: eraseConversations, done: 'Erased', command: 'conversations erase' },
} as const

/** All are found before anything is deleted. */
async function remove(
  ids: readonly string[],
  { all = false, ...options }: RemovalOptions,
  kind: keyof typeof removals,
): Promise<void> {
  const { remove: removeAll, done, command } = removals[kind]
  const { account: _account, space: _space, yes: _yes, ...filters } = options
  const isChosen = Object.values(filters).some((value) => value !== undefined)
  if (ids.length === 0 && !isChosen && !all)
    throw new ConfigError('Name the conversations by their ids, choose them by an option, or use --all.')
  if (ids.length > 0 && (isChosen || all))
    throw new ConfigError('Name the conversations by their ids, or choose them by options, not both.')
  const query = toQuery(filters)
  await onAccount(options, command, async (ctx, actor) => {
    const chosen = ids.length > 0 ? [...ids] : await idsOf(allConversations(ctx, actor, query))
    const count = `${chosen.length} ${chosen.length === 1 ? 'conversation' : 'conversations'}`
    if (chosen.length > 0) await requireConsent(`This ${kind}s ${count}, for good.`, options)
    await removeAll(ctx, actor, chosen)
    process.stdout.write(`${done} ${count}.\n`)
  })
}

async function idsOf(conversations: AsyncIterable<Conversation>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of conversations) ids.push(id)
  return ids
}
