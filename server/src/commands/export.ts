import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ExportFormat } from '@loci/contract/imports'
import { ConfigError } from '../config.ts'
import { exportGraph } from '../features/exports/exports.service.ts'
import { type AccountOption, findAccount } from './account-option.ts'
import { withContext } from './with-context.ts'

/** Writes the graph to a file, which appears when it is whole, or to standard output. */
export async function exportTo(
  path: string | undefined,
  options: AccountOption & { format: string },
): Promise<void> {
  const format = ExportFormat.safeParse(options.format)
  if (!format.success) throw new ConfigError(`--format must be one of ${ExportFormat.options.join(', ')}`)
  await withContext(async (ctx) => {
    const lines = exportGraph(ctx, await findAccount(ctx, options), format.data)
    if (path === undefined) await pipeline(lines, process.stdout, { end: false })
    else await writeWhole(path, (part) => pipeline(lines, createWriteStream(part, { mode: 0o600 })))
  })
}

/** Lets `write` make a file beside `path`, which takes the place of `path` when all of it is there. */
async function writeWhole(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}.part`
  try {
    await write(part)
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true })
    throw new ConfigError(`${path} cannot be written: ${(cause as Error).message}`, { cause })
  }
}
