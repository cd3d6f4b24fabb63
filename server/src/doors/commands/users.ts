import { randomBytes } from 'node:crypto'
import { normalizeEmail, Register } from '@loci/contract/auth'
import type { Command } from 'commander'
import { removeUser, resumeUser, suspendUser } from '../../features/users/administer-users.ts'
import { resetSecondFactors } from '../../features/users/second-factors/second-factors.service.ts'
import { createUser, listUsers, resetPassword } from '../../features/users/users.service.ts'
import { readConfig } from '../../ground/config/config.ts'
import { parseInput } from './parse-input.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { readSecret, requireConsent } from './prompt.ts'
import { withContext, withReadContext } from './with-context.ts'

const passwordOption = [
  '--password-stdin',
  'read the password from standard input, or ask for it on a terminal; without this it is LOCI_PASSWORD or a random one, which is shown',
] as const

/** `loci user ...`: for the operator, without a session, also while a server runs. */
export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('manage users')
  user
    .command('create')
    .description('create a user with an account of their own, or as a member of another')
    .argument('<email>')
    .option('--first-name <name>', 'first name', 'Loci')
    .option('--last-name <name>', 'last name', 'User')
    .option(...passwordOption)
    .option(
      '--member-of <email>',
      'join the account of this user as a member, with access to its memory but not to billing',
    )
    .action(create)
  user
    .command('list')
    .description('list all users')
    .option(...jsonOption)
    .action(list)
  user
    .command('reset-password')
    .description('set a new password and end all sessions')
    .argument('<email>')
    .option(...passwordOption)
    .action(reset)
  user
    .command('reset-second-factor')
    .description('remove the authenticator app, passkeys and recovery codes of a user, and end all sessions')
    .argument('<email>')
    .action((email: string) => change(email, resetSecondFactors, 'signs in with the password alone'))
  user
    .command('suspend')
    .description('end all sessions of a user at once, and block the password and keys')
    .argument('<email>')
    .action((email: string) => change(email, suspendUser, 'is suspended'))
  user
    .command('resume')
    .description('lift a suspension: the user can sign in and the keys work again')
    .argument('<email>')
    .action((email: string) => change(email, resumeUser, 'may sign in again'))
  user
    .command('delete')
    .description('delete a user who is a member, with their sessions and keys; the memory stays')
    .argument('<email>')
    .option('--yes', 'do not ask')
    .action(async (email: string, options: { yes?: boolean }) => {
      await requireConsent(`This deletes the user ${email} with their sessions and keys.`, options)
      await change(email, removeUser, 'is deleted')
    })
}

type PasswordOption = { passwordStdin?: boolean }
type CreateOptions = PasswordOption & { firstName: string; lastName: string; memberOf?: string }

/** Never from the command line, which other users of the machine can read. */
async function readPassword({ passwordStdin = false }: PasswordOption) {
  if (passwordStdin) return { password: await readSecret('Password'), isShown: false }
  const { newPassword } = readConfig()
  if (newPassword !== undefined) return { password: newPassword, isShown: false }
  return { password: randomBytes(12).toString('base64url'), isShown: true }
}

async function create(email: string, options: CreateOptions): Promise<void> {
  const { memberOf, firstName, lastName } = options
  const { password, isShown } = await readPassword(options)
  const input = parseInput(Register, { email, password, firstName, lastName })
  await withContext(async (ctx) => {
    const user = await createUser(
      ctx,
      input,
      memberOf === undefined ? {} : { memberOf: normalizeEmail(memberOf) },
    )
    const shown = isShown ? `Password  ${password}\n` : ''
    process.stdout.write(
      `Created ${user.email}\n${shown}API key   ${ctx.secretBox.open(user.personalKeyEncrypted)!}\n`,
    )
  })
}

type UserLine = { email: string; role: string; accountId: string; suspended: boolean; createdAt: string }

const columns: readonly Column<UserLine>[] = [
  {
    title: 'EMAIL',
    width: 32,
    value: ({ email, suspended }) => `${email}${suspended ? ' (suspended)' : ''}`,
  },
  { title: 'ROLE', width: 8, value: ({ role }) => role },
  { title: 'CREATED', width: 24, value: ({ createdAt }) => createdAt },
  { title: 'ACCOUNT', width: 0, value: ({ accountId }) => accountId },
]

async function list(options: { json?: boolean }): Promise<void> {
  await withReadContext((ctx) => printList(toLines(listUsers(ctx)), columns, options))
}

async function* toLines(users: ReturnType<typeof listUsers>): AsyncGenerator<UserLine> {
  for await (const { email, role, accountId, suspendedAt, createdAt } of users) {
    yield { email, role, accountId, suspended: suspendedAt !== null, createdAt }
  }
}

async function reset(email: string, options: PasswordOption): Promise<void> {
  const { password, isShown } = await readPassword(options)
  parseInput(Register.shape.password, password)
  await withContext(async (ctx) => {
    await resetPassword(ctx, normalizeEmail(email), password)
    const shown = isShown ? `: ${password}` : ''
    process.stdout.write(`${email} has a new password${shown}\nAll sessions are ended.\n`)
  })
}

/** Applies a change to a user and reports it. */
async function change(
  email: string,
  work: (ctx: Parameters<typeof suspendUser>[0], email: string) => Promise<void>,
  outcome: string,
): Promise<void> {
  await withContext((ctx) => work(ctx, normalizeEmail(email)))
  process.stdout.write(`${email} ${outcome}.\n`)
}
