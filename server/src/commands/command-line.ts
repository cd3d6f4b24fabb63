import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { version } from '../version.ts'
import { registerAccountCommands } from './accounts.ts'
import { registerBillingCommands } from './billing.ts'
import { registerDataCommands } from './data.ts'
import { registerEmbeddingsCommands } from './embeddings.ts'
import { registerKeyCommands } from './keys.ts'
import { registerMoveCommand } from './move.ts'
import { registerSecretCommands } from './secret.ts'
import { registerUserCommands } from './users.ts'
import { withContext } from './with-context.ts'

/** The command line of the program; ends the process with 1 and a sentence when a command cannot be done. */
export async function runCommandLine(argv: string[]): Promise<void> {
  const program = new Command('loci')
    .description('Persistent memory for AI agents')
    .version(version)
    .showHelpAfterError()
  program
    .command('serve', { isDefault: true })
    .description('run the server: web app, REST, MCP and WebSocket')
    .action(async () => (await import('./serve.ts')).serve())
  program
    .command('mcp')
    .description('serve MCP on standard input and output')
    .action(async () => (await import('./mcp.ts')).mcp())
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withContext(async () => {}))
  program
    .command('distribute')
    .description('spread the tables over the nodes of a Citus cluster')
    .option('--print', 'print the statements instead of running them')
    .action(async (options: { print?: boolean }) => (await import('./distribute.ts')).distribute(options))
  registerAccountCommands(program)
  registerUserCommands(program)
  registerKeyCommands(program)
  registerSecretCommands(program)
  registerDataCommands(program)
  registerMoveCommand(program)
  registerBillingCommands(program)
  registerEmbeddingsCommands(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
