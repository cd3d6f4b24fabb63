import type { Member } from '@loci/contract/members'
import { NameSpace, type Space, UpdateSpace } from '@loci/contract/spaces'
import type { WritePolicy } from '@loci/contract/write-policy'
import type { Command } from 'commander'
import { listMembers } from '../../features/members/members.service.ts'
import { createSpace, deleteSpace, listSpaces, updateSpace } from '../../features/spaces/spaces.service.ts'
import { ConfigError } from '../../ground/config/config.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type AccountOption, accountOption, onAccount, readingAccount } from './account-option.ts'
import { parseInput } from './parse-input.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { requireConsent } from './prompt.ts'
import { writesOption } from './writes-option.ts'

type Options = Pick<AccountOption, 'account'>

/** `loci space list|create|rename|change|delete`: also for memory without an account. */
export function registerSpaceCommands(program: Command): void {
  const space = program.command('space').description('manage spaces, each of which is a separate memory')
  space
    .command('list')
    .description('list the spaces, the oldest first')
    .option(...accountOption)
    .option(...jsonOption)
    .action(list)
  space
    .command('create')
    .description('create an empty space')
    .argument('<name>')
    .option(...accountOption)
    .action(create)
  space
    .command('rename')
    .description('rename a space')
    .argument('<space>', 'by name or id')
    .argument('<name>', 'the new name')
    .option(...accountOption)
    .action(rename)
  space
    .command('change')
    .description('change what waits for a review in a space')
    .argument('<space>', 'by name or id')
    .addOption(writesOption())
    .option('--auto-accept-days <days>', 'accept by itself what has waited so long, or "never"')
    .option('--reviewers <emails>', 'members who review beside owners and admins, with commas, or "none"')
    .option(...accountOption)
    .action(change)
  space
    .command('delete')
    .description('permanently delete a space with everything in it')
    .argument('<space>', 'by name or id')
    .option('--yes', 'do not ask')
    .option(...accountOption)
    .action(remove)
}

const columns: readonly Column<Space>[] = [
  { title: 'ID', width: 10, value: ({ id }) => id },
  { title: 'NAME', width: 32, value: ({ name }) => name },
  { title: 'ENTITIES', width: 10, value: ({ entities }) => entities },
  { title: 'OBSERVATIONS', width: 14, value: ({ observations }) => observations },
  { title: 'WRITES', width: 8, value: ({ writes }) => writes },
  { title: 'CREATED', width: 0, value: ({ createdAt }) => createdAt },
]

async function list(options: Options & { json?: boolean }): Promise<void> {
  await readingAccount(options, 'space list', async (ctx, actor) => {
    await printList(await listSpaces(ctx, actor), columns, options)
  })
}

const toName = (name: string): NameSpace => parseInput(NameSpace, { name })

async function create(name: string, options: Options): Promise<void> {
  const input = toName(name)
  await onAccount(options, 'space create', async (ctx, actor) => {
    const { id } = await createSpace(ctx, actor, input)
    process.stdout.write(`Created the space ${input.name} (${id}).\n`)
  })
}

async function rename(space: string, name: string, options: Options): Promise<void> {
  const input = toName(name)
  await onAccount(options, 'space rename', async (ctx, actor) => {
    await updateSpace(ctx, actor, space, input)
    process.stdout.write(`The space ${space} is now called ${input.name}.\n`)
  })
}

type Review = { writes?: WritePolicy; autoAcceptDays?: string; reviewers?: string }

async function change(
  space: string,
  { writes, autoAcceptDays, reviewers, ...of }: Options & Review,
): Promise<void> {
  const days =
    autoAcceptDays === 'never' ? null : autoAcceptDays === undefined ? undefined : Number(autoAcceptDays)
  if (writes === undefined && days === undefined && reviewers === undefined)
    throw new ConfigError('Say what changes: --writes, --auto-accept-days, --reviewers.')
  await onAccount(of, 'space change', async (ctx, actor) => {
    const named = reviewers === undefined ? undefined : await membersOf(ctx, actor, reviewers)
    const ids = named?.map(({ userId }) => userId)
    const input = parseInput(UpdateSpace, { writes, autoAcceptDays: days, reviewers: ids })
    const changed = await updateSpace(ctx, actor, space, input)
    process.stdout.write(`${reviewOf(changed)}\n`)
    if (named !== undefined) process.stdout.write(`${reviewersOf(changed, named)}\n`)
  })
}

/** Those with these emails. Throws {@link ConfigError} if one is no member. */
async function membersOf(ctx: Context, actor: Actor, emails: string): Promise<Member[]> {
  if (emails === 'none') return []
  const { members } = await listMembers(ctx, actor)
  return emails.split(',').map((email) => {
    const found = members.find((member) => member.email.toLowerCase() === email.trim().toLowerCase())
    if (found === undefined) throw new ConfigError(`${email.trim()} is no member of this account.`)
    return found
  })
}

const reviewersOf = ({ name }: Space, members: readonly Member[]) =>
  members.length === 0
    ? `Owners and admins review in ${name}.`
    : `Owners and admins review in ${name}, and ${members.map(({ email }) => email).join(', ')}.`

function reviewOf({ name, writes, autoAcceptDays }: Space): string {
  const words =
    writes === 'propose'
      ? `What others than reviewers write in ${name} waits for a review`
      : `What is written in ${name} is stored at once, except by keys and apps that propose`
  return autoAcceptDays === null
    ? `${words}.`
    : `${words}; it is accepted by itself after ${autoAcceptDays} days.`
}

async function remove(space: string, options: Options & { yes?: boolean }): Promise<void> {
  await requireConsent(`This deletes the space ${space} with everything in it, for good.`, options)
  await onAccount(options, 'space delete', (ctx, actor) => deleteSpace(ctx, actor, space))
  process.stdout.write(
    `Deleted the space ${space}. A running server clears away what was in it, else the next one that starts.\n`,
  )
}
