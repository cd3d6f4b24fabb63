import { createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ExportFormat } from '@loci/contract/imports'
import { ConfigError } from '../config.ts'
import { exportGraph } from '../features/exports/exports.service.ts'
import { recordExport } from '../features/exports/record-export.ts'
import { writeWhole } from '../lib/write-whole.ts'
import { type AccountOption, findAccount } from './account-option.ts'
import { isClosedOutput } from './closed-output.ts'
import { commandRights } from './command-rights.ts'
import { withContext } from './with-context.ts'

/** Writes the graph to a file, which appears when it is whole, or to standard output. */
export async function exportTo(
  path: string | undefined,
  options: AccountOption & { format: string },
): Promise<void> {
  const format = ExportFormat.safeParse(options.format)
  if (!format.success) throw new ConfigError(`--format must be one of ${ExportFormat.options.join(', ')}`)
  await withContext(async (ctx) => {
    const actor = await findAccount(ctx, options, commandRights.export)
    await recordExport(ctx, actor, { format: format.data })
    const lines = exportGraph(ctx, actor, format.data)
    if (path === undefined) await print(lines)
    else await writeTo(path, lines)
  })
}

/** Whoever reads may have had enough, as `head` has. */
async function print(lines: AsyncGenerator<string>): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false })
  } catch (error) {
    if (!isClosedOutput(error)) throw error
  }
}

/** A pipe or a device takes what is written to it; a file in its place would break whoever uses it. */
const isDevice = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === false

async function writeTo(path: string, lines: AsyncGenerator<string>): Promise<void> {
  try {
    if (isDevice(path)) await pipeline(lines, createWriteStream(path))
    else await writeWhole(path, (part) => pipeline(lines, createWriteStream(part, { flags: 'r+' })))
  } catch (cause) {
    throw new ConfigError(`${path} cannot be written: ${(cause as Error).message}`, { cause })
  }
}
