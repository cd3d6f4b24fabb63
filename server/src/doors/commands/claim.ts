import type { Command } from 'commander'
import { findClaimLink } from '../../features/users/claim-link.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { findAddress } from '../../ground/server-address.ts'
import { withReadContext } from './with-context.ts'

/** `loci claim`: prints the link that serve and mcp print too. */
export function registerClaimCommand(program: Command): void {
  program
    .command('claim')
    .description('print the one-time link for taking over memory that has no account')
    .action(() =>
      withReadContext(async (ctx) => {
        const link = await findClaimLink(ctx, findAddress(ctx.config))
        if (link === undefined)
          throw new ConfigError('There is no memory without an account in this database.')
        process.stdout.write(`${link}\n`)
      }),
    )
}
