import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** The program installed in a folder, run by a chosen Node, with its data beside it. */
export type Installed = { folder: string; node: string; env?: Record<string, string> }

const startMs = 60_000

export function start({ folder, node, env }: Installed, args: readonly string[]): ChildProcess {
  const home = { HOME: folder, LOCI_DATA_DIR: join(folder, 'data'), XDG_CACHE_HOME: join(folder, 'cache') }
  const { PATH = '' } = process.env
  const program = join(folder, 'node_modules/@loci/loci/server/bin/loci.js')
  return spawn(node, [program, ...args], { cwd: folder, env: { PATH, ...home, ...env } })
}

/** A command's output; throws if the command fails. */
export async function runCommand(installed: Installed, args: readonly string[]): Promise<string> {
  const child = start(installed, args)
  return outputOf(child, args.join(' '))
}

export async function outputOf(child: ChildProcess, name: string): Promise<string> {
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${out}${err}`)
  return out
}

/**
 * Starts the server on a free port. `close` stops it, and throws if its log has more than informational
 * entries: warnings, errors, or Node's own messages.
 */
export async function startServer(
  installed: Installed,
): Promise<{ url: string; close: () => Promise<void> }> {
  const child = start({ ...installed, env: { PORT: '0', ...installed.env } }, [])
  const errors = text(child.stderr!)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const log: string[] = []
  createInterface(child.stdout!).on('line', (line) => {
    log.push(line)
    const [, url] = /Web app\s+(http\S+)/.exec(line) ?? []
    if (url !== undefined) resolve(url)
  })
  const late = setTimeout(() => reject(new Error(`The server did not start:\n${log.join('\n')}`)), startMs)
  child.on('exit', async () => reject(new Error(`The server ended:\n${log.join('\n')}${await errors}`)))
  const url = await promise.finally(() => clearTimeout(late))
  return {
    url,
    async close() {
      child.kill('SIGTERM')
      const [written] = await Promise.all([errors, child.exitCode === null && once(child, 'exit')])
      const strange = written.split('\n').filter((line) => line !== '' && !/^\{"level":30,/.test(line))
      if (strange.length > 0) throw new Error(`The server wrote to its log:\n${strange.join('\n')}`)
    },
  }
}
