import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.ts'

/** Creates an empty folder and installs packed files there, with install scripts turned off. */
export async function installInto(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', ...quiet, ...files], folder)
}
