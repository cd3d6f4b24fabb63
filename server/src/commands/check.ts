import { checkAll, repairAll } from '../features/checks/checks.service.ts'
import { withContext } from './with-context.ts'

/** Prints what differs; the exit code is 1 when something does. */
export async function check({ repair = false }: { repair?: boolean }): Promise<void> {
  await withContext(async (ctx) => {
    if (repair) await repairAll(ctx)
    let count = 0
    for await (const { accountId, spaceId, message } of checkAll(ctx)) {
      const subject = spaceId === undefined ? accountId : `${accountId}/${spaceId}`
      process.stdout.write(`${subject}: ${message}\n`)
      count++
    }
    process.stdout.write(count === 0 ? 'Everything agrees.\n' : `${count} differences\n`)
    if (count > 0) process.exitCode = 1
  })
}
