import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../src/ground/config/config.ts'

const main = join(import.meta.dirname, '../bin/loci.js')

export type CommandEnd = { code: number; stdout: string; stderr: string }

/** What a command finds: its standard input, and environment variables besides those of the tests. */
export type CommandPlace = { input?: string; env?: Record<string, string> }

/** Runs `loci ...` as a person would. */
export async function runLoci(
  args: readonly string[],
  { input = '', env = {} }: CommandPlace = {},
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** The environment variables that point a command at a test server's database. */
export const environmentOf = ({ dataDir, databaseUrl, secret }: Config) => ({
  LOCI_DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
  LOCI_SECRET: secret ?? '',
})
