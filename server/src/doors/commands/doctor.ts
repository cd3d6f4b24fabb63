import { examine } from '../../features/doctor/examine.ts'
import type { Finding } from '../../features/doctor/finding.ts'
import { counted } from '../../ground/lib/counted.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import { findAddress } from '../../ground/server-address.ts'
import type { Context } from '../../tenancy/context.ts'
import { askPassphrase, type PassphraseOptions } from './passphrase.ts'
import { requireDatabase, withContext } from './with-context.ts'

type Options = PassphraseOptions & { backup?: string; json?: boolean }

const marks = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ' } as const

/** Prints what was found of the server and what to do about it; the exit code is 1 if something failed. */
export async function doctor({ backup, json = false, ...passphrase }: Options): Promise<void> {
  const examineAll = async (ctx: Context) => {
    const options = {
      running: findAddress(ctx.config),
      backup,
      askPassphrase: () => askPassphrase(ctx.config, passphrase),
    }
    const counts = { ok: 0, warning: 0, failed: 0 }
    for await (const finding of examine(ctx, options)) {
      counts[finding.state]++
      process.stdout.write(json ? `${withoutControls(JSON.stringify(finding))}\n` : inWords(finding))
    }
    if (counts.failed > 0) process.exitCode = 1
    if (json) return
    process.stdout.write(
      counts.failed + counts.warning === 0
        ? 'Nothing to do.\n'
        : `${counts.failed} failed, ${counted(counts.warning, 'warning')}\n`,
    )
  }
  requireDatabase()
  // It changes nothing, neither the schema nor an outdated index.
  await withContext(examineAll, { mayOnlyRead: true, mayMigrate: false })
}

function inWords({ check, state, says, cure }: Finding): string {
  const line = `${marks[state]}  ${check.padEnd(11)}  ${withoutControls(says)}\n`
  return cure === undefined ? line : `${line}${' '.repeat(22)}${cure}\n`
}
