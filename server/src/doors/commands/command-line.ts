import { Command } from 'commander'
import { ConfigError, preferOptions } from '../../ground/config/config.ts'
import { version } from '../../ground/version.ts'
import { accountOption, spaceOption } from './account-option.ts'
import { registerAccountCommands } from './accounts.ts'
import { registerBillingCommands } from './billing.ts'
import { registerClaimCommand } from './claim.ts'
import { describeVariables, improveErrors, refuseUnknownCommand } from './command-manners.ts'
import { registerConnectionCommands } from './connections.ts'
import { registerConversationCommands } from './conversations.ts'
import { registerDataCommands } from './data.ts'
import { registerEmbeddingsCommands } from './embeddings.ts'
import { registerKeyCommands } from './keys.ts'
import { registerLedgerCommands } from './ledger.ts'
import { registerMoveCommand } from './move.ts'
import { registerSecretCommands } from './secret.ts'
import { registerSpaceCommands } from './spaces.ts'
import { registerUserCommands } from './users.ts'
import { withContext } from './with-context.ts'

/** The command line of the program; exits with 1, or 2 for a file of an unknown format, and a message if a command fails. */
export async function runCommandLine(argv: string[]): Promise<void> {
  const program = new Command('loci')
    .description('Persistent memory for AI agents')
    .configureHelp({ showGlobalOptions: true })
    .version(version)
    .option('--data-dir <path>', 'the data directory, instead of LOCI_DATA_DIR')
    .addHelpText(
      'after',
      '\nWithout a command, loci runs the server. See "loci COMMAND --help" for details; "loci serve --help" lists the\nenvironment variables, which all commands read.',
    )
    .hook('preAction', (_program, command) => preferOptions(command.optsWithGlobals()))
  const serve = program
    .command('serve', { isDefault: true })
    .description('run the server: web app, REST, MCP and WebSocket')
    .option('--port <number>', 'port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .allowExcessArguments()
    .addHelpText('after', describeVariables)
    .action(async () => {
      refuseUnknownCommand(
        serve,
        program.commands.map((command) => command.name()),
      )
      await (await import('./serve.ts')).serve()
    })
  program
    .command('mcp')
    .description('serve MCP on standard input and output')
    .option('--space <name>', 'the space to work in, by name or id')
    .action(async (options: { space?: string }) => (await import('./mcp.ts')).mcp(options))
  program
    .command('connect')
    .description('connect the agents of this machine: shows what it would write where, and asks first')
    .argument(
      '[agent...]',
      'claude-code, codex, cursor, vscode, gemini, copilot, opencode or qwen; those that are found if omitted',
    )
    .option('--all', 'ask once for all of them')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--no-follow', 'do not follow conversations, and end it where they are followed')
    .option('--remove', 'take the connections away')
    .option('--yes', 'do not ask')
    .action(async (agents, options) => (await import('./connect.ts')).connectAgents(agents, options))
  program
    .command('watch')
    .description(
      "store the conversations of this machine's agents as they are written, here or at the server at LOCI_URL",
    )
    .argument(
      '[agent...]',
      'claude-code, codex, copilot, cursor, gemini, opencode or qwen; all that are found if omitted',
    )
    .option('--once', 'store what is there, then end')
    .option(...accountOption)
    .option(...spaceOption)
    .action(async (agents, options) => (await import('./watch.ts')).watch(agents, options))
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withContext(async () => {}))
  program
    .command('distribute')
    .description('spread the tables over the nodes of a Citus cluster')
    .option('--print', 'print the statements instead of running them')
    .option(
      '--shards <number>',
      'into how many parts, the first time; the setting citus.shard_count, 32, if omitted',
    )
    .action(async (options: { print?: boolean; shards?: string }) =>
      (await import('./distribute.ts')).distribute(options),
    )
  registerAccountCommands(program)
  registerUserCommands(program)
  registerKeyCommands(program)
  registerConnectionCommands(program)
  registerSpaceCommands(program)
  registerSecretCommands(program)
  registerConversationCommands(program)
  registerDataCommands(program)
  registerMoveCommand(program)
  registerBillingCommands(program)
  registerLedgerCommands(program)
  registerClaimCommand(program)
  registerEmbeddingsCommands(program)
  improveErrors(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error.exitCode
  }
}
