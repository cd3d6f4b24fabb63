import { NameSpace, type Space } from '@loci/contract/spaces'
import type { Command } from 'commander'
import { createSpace, deleteSpace, listSpaces, updateSpace } from '../../features/spaces/spaces.service.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { inPlainWords, toValidationError } from '../../ground/errors/validation-error.ts'
import { type AccountOption, findAccount } from './account-option.ts'
import { commandRights } from './command-rights.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { requireConsent } from './prompt.ts'
import { withContext, withReadContext } from './with-context.ts'

const accountOption = ['--account <email>', 'whose memory; not needed if there is only one account'] as const

type Options = Pick<AccountOption, 'account'>

/** `loci space list|create|rename|delete`: also for memory without an account. */
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
  { title: 'CREATED', width: 0, value: ({ createdAt }) => createdAt },
]

async function list(options: Options & { json?: boolean }): Promise<void> {
  await withReadContext(async (ctx) => {
    const actor = await findAccount(ctx, options, commandRights['space list'])
    await printList(await listSpaces(ctx, actor), columns, options)
  })
}

/** Throws {@link ConfigError} for a name that is not allowed for spaces. */
function toName(name: string): NameSpace {
  const input = NameSpace.safeParse({ name }, inPlainWords)
  if (!input.success) throw new ConfigError(toValidationError(input.error).message)
  return input.data
}

async function create(name: string, options: Options): Promise<void> {
  const input = toName(name)
  await withContext(async (ctx) => {
    const actor = await findAccount(ctx, options, commandRights['space create'])
    const { id } = await createSpace(ctx, actor, input)
    process.stdout.write(`Created the space ${input.name} (${id}).\n`)
  })
}

async function rename(space: string, name: string, options: Options): Promise<void> {
  const input = toName(name)
  await withContext(async (ctx) => {
    const actor = await findAccount(ctx, options, commandRights['space rename'])
    await updateSpace(ctx, actor, space, input)
    process.stdout.write(`The space ${space} is now called ${input.name}.\n`)
  })
}

async function remove(space: string, options: Options & { yes?: boolean }): Promise<void> {
  await requireConsent(`This deletes the space ${space} with everything in it, for good.`, options)
  await withContext(async (ctx) => {
    await deleteSpace(ctx, await findAccount(ctx, options, commandRights['space delete']), space)
  })
  process.stdout.write(
    `Deleted the space ${space}. A running server clears away what was in it, else the next one that starts.\n`,
  )
}
