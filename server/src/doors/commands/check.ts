import { describeMissingEvents } from '../../features/billing/stripe/missing-events.ts'
import { checkAll, repairAll } from '../../features/checks/checks.service.ts'
import { countRemovals } from '../../features/removals/removals.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import type { Context } from '../../tenancy/context.ts'
import { requireDatabase, withContext, withReadContext } from './with-context.ts'

const restore = 'Stop what uses it and restore a backup; `loci export` saves what can still be read.'

/** Runs the database's own file check, then prints all differences; the exit code is 1 if there are any. */
export async function check({ repair = false }: { repair?: boolean }): Promise<void> {
  requireDatabase()
  await (repair ? withContext : withReadContext)(async (ctx) => {
    const damage = await ctx.dialect.checkFile(ctx.db, 'full')
    if (damage.length > 0) {
      throw new ConfigError(`The database file is damaged. ${restore}\n${damage.join('\n')}`)
    }
    if (repair) await repairAll(ctx)
    const count = await report(ctx)
    process.stdout.write(inWords(await countRemovals(ctx)))
    const silence = await describeMissingEvents(ctx)
    if (silence !== undefined) process.stdout.write(`${silence}\n`)
    process.stdout.write(count === 0 ? 'No differences found.\n' : `${count} differences\n`)
    if (count > 0) process.exitCode = 1
  })
}

/** Not a difference: a running server is working on it, or the next one will. */
function inWords(removals: number): string {
  if (removals === 0) return ''
  const subjects =
    removals === 1 ? '1 deleted space or account is' : `${removals} deleted spaces or accounts are`
  return `${subjects} still being cleared away; "loci check --repair" does it now.\n`
}

async function report(ctx: Context): Promise<number> {
  let count = 0
  for await (const { accountId, space, message } of checkAll(ctx)) {
    const subject = space === undefined ? accountId : `${accountId}/${space}`
    process.stdout.write(`${subject}: ${withoutControls(message)}\n`)
    count++
  }
  return count
}
