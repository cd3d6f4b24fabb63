import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { runCommandLine } from '../src/doors/commands/command-line.ts'
import type { CommandEnd, CommandPlace } from './loci-command.ts'

/** Thrown in place of ending the process. */
class Exit extends Error {}

const program = join(import.meta.dirname, '../bin/loci.js')
const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs `loci ...` without starting a program, which takes most of a short command's time. One at a time, since all have
 * the process's streams and environment. `--data-dir`, `--host` and `--port` need a program: they would hold for later
 * commands too.
 */
export async function runLociInProcess(
  args: readonly string[],
  { input = '', env = {} }: CommandPlace = {},
): Promise<CommandEnd> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const restore = replaceProcess({ stdin: Readable.from(input === '' ? [] : [input]), stdout, stderr }, env)
  try {
    process.argv = [process.execPath, program, ...args]
    await runCommandLine(process.argv)
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  } finally {
    restore()
    stdout.end()
    stderr.end()
  }
  const code = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}

/** The same, but rejected if the command fails, as `execFile` is. */
export async function execLociInProcess(args: readonly string[], place?: CommandPlace): Promise<CommandEnd> {
  const end = await runLociInProcess(args, place)
  if (end.code !== 0) throw Object.assign(new Error(end.stderr), end)
  return end
}

function replaceProcess(
  streams: Record<'stdin' | 'stdout' | 'stderr', unknown>,
  env: Record<string, string>,
) {
  const before = { argv: process.argv, env: { ...process.env } }
  const listeners = signals.map((signal) => process.listeners(signal))
  const spies = Object.entries(streams).map(([name, stream]) =>
    vi.spyOn(process, name as 'stdout', 'get').mockReturnValue(stream as typeof process.stdout),
  )
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    process.exitCode = Number(code)
    throw new Exit()
  })
  Object.assign(process.env, env)
  return () => {
    for (const spy of [...spies, exit]) spy.mockRestore()
    process.argv = before.argv
    for (const name of Object.keys(env)) {
      if (before.env[name] === undefined) delete process.env[name]
      else process.env[name] = before.env[name]
    }
    // A signal that one command waited for must still end the tests.
    for (const [i, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[i]!.includes(listener)) process.off(signal, listener)
  }
}
