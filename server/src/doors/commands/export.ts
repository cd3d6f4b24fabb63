import { createWriteStream, statSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ExportFormat } from '@loci/contract/imports'
import { exportFiles, exportGraph } from '../../features/exports/exports.service.ts'
import { recordExport } from '../../features/exports/record-export.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { writeWhole } from '../../ground/lib/write-whole.ts'
import type { ZipFile } from '../../ground/lib/zip.ts'
import { type AccountOption, readingAccount } from './account-option.ts'
import { isClosedOutput } from './closed-output.ts'

/** Writes the graph to a file, which appears when it is complete, or to standard output, which `-` names too. */
export async function exportTo(
  target: string | undefined,
  options: AccountOption & { format: string },
): Promise<void> {
  const path = target === '-' ? undefined : target
  const format = ExportFormat.safeParse(options.format)
  if (!format.success) throw new ConfigError(`--format must be one of ${ExportFormat.options.join(', ')}`)
  await readingAccount(options, 'export', async (ctx, actor) => {
    if (!ctx.dialect.isReadOnly) await recordExport(ctx, actor, { format: format.data })
    const isFolder = path !== undefined && !path.endsWith('.zip') && !isDevice(path)
    const files = isFolder ? exportFiles(ctx, actor, format.data) : undefined
    if (files !== undefined) return writeFolder(path!, files)
    const content = exportGraph(ctx, actor, format.data)
    if (path === undefined) await print(content)
    else await writeTo(path, content)
  })
}

/** Whoever reads may have had enough, as `head` has. */
async function print(lines: AsyncGenerator<string | Buffer>): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false })
  } catch (error) {
    if (!isClosedOutput(error)) throw error
  }
}

/** A pipe or a device takes what is written to it; a file in its place would break whoever uses it. */
function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

async function writeTo(path: string, lines: AsyncGenerator<string | Buffer>): Promise<void> {
  try {
    if (isDevice(path)) await pipeline(lines, createWriteStream(path))
    else await writeWhole(path, (part) => pipeline(lines, createWriteStream(part, { flags: 'r+' })))
  } catch (cause) {
    throw new ConfigError(`${path} cannot be written: ${(cause as Error).message}`, { cause })
  }
}

/** Into a folder that is new or empty, so that nothing of another export stays among the files. */
async function writeFolder(path: string, files: AsyncGenerator<ZipFile>): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
    if ((await readdir(path)).length > 0) throw new Error('the folder is not empty')
    for await (const { path: name, content } of files) {
      const target = join(path, name)
      await mkdir(dirname(target), { recursive: true })
      await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
    }
  } catch (cause) {
    throw new ConfigError(`${path} cannot be written: ${(cause as Error).message}`, { cause })
  }
}
