import { randomBytes } from 'node:crypto'
import { normalizeEmail, Register } from '@loci/contract/auth'
import type { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { createUser, listUsers, resetPassword } from '../features/users/users.service.ts'
import { toValidationError } from '../http/routes.ts'
import { withContext } from './with-context.ts'

/** `loci user create|list|reset-password`: for whoever hosts the server, without a session. */
export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('manage the people who can sign in')
  user
    .command('create')
    .description('create a user with an account of their own, or as a member of another')
    .argument('<email>')
    .option('--first-name <name>', 'first name', 'Loci')
    .option('--last-name <name>', 'last name', 'User')
    .option('--password <password>', 'password; a random one is made and shown when left out')
    .option(
      '--member-of <email>',
      'share the account of this user: its memory, but neither billing nor its end',
    )
    .action(create)
  user.command('list').description('list all users').action(list)
  user
    .command('reset-password')
    .description('set a new password and end all sessions')
    .argument('<email>')
    .option('--password <password>', 'new password; a random one is made and shown when left out')
    .action(reset)
}

type CreateOptions = { firstName: string; lastName: string; password?: string; memberOf?: string }

const newPassword = () => randomBytes(12).toString('base64url')

async function create(email: string, options: CreateOptions): Promise<void> {
  const { password = newPassword(), memberOf, ...names } = options
  const input = Register.safeParse({ email, password, ...names })
  if (!input.success) throw new ConfigError(toValidationError(input.error).message)
  await withContext(async (ctx) => {
    const user = await createUser(
      ctx,
      input.data,
      memberOf === undefined ? {} : { memberOf: normalizeEmail(memberOf) },
    )
    process.stdout.write(
      `Created ${user.email}\nPassword  ${password}\nAPI key   ${ctx.secretBox.open(user.personalKeyEncrypted)!}\n`,
    )
  })
}

async function list(): Promise<void> {
  await withContext(async (ctx) => {
    for await (const user of listUsers(ctx)) {
      process.stdout.write(`${user.email}\t${user.role}\t${user.accountId}\t${user.createdAt}\n`)
    }
  })
}

async function reset(email: string, { password = newPassword() }: { password?: string }): Promise<void> {
  const parsed = Register.shape.password.safeParse(password)
  if (!parsed.success) throw new ConfigError(toValidationError(parsed.error).message)
  await withContext(async (ctx) => {
    await resetPassword(ctx, normalizeEmail(email), password)
    process.stdout.write(`New password of ${email}: ${password}\nAll sessions are ended.\n`)
  })
}
