import type { Command } from 'commander'
import { withContext } from './with-context.ts'

/** `loci secret reset`. */
export function registerSecretCommands(program: Command): void {
  program
    .command('secret')
    .description('manage the master secret')
    .command('reset')
    .description('accept the current secret (LOCI_SECRET, or a new one) after the previous one was lost')
    .action(reset)
}

async function reset(): Promise<void> {
  await withContext(
    async () => {
      process.stdout.write(
        'From now on this database is used with the current secret.\nPersonal API keys still work; those stored with another secret cannot be shown until they are rolled in the settings.\n',
      )
    },
    { acceptsSecret: true },
  )
}
