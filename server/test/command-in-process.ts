import { vi } from 'vitest'
import { runCommandLine } from '../src/doors/commands/command-line.ts'
import type { CommandEnd } from './loci-command.ts'

/** Thrown in place of ending the process. */
class Exit extends Error {}

/** Runs `loci ...` without starting a program. */
export async function runLociInProcess(...args: string[]): Promise<CommandEnd> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk)
      return true
    }),
  )
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    process.exitCode = Number(code)
    throw new Exit()
  })
  try {
    await runCommandLine(['node', 'loci', ...args])
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  } finally {
    for (const spy of [...spies, exit]) spy.mockRestore()
  }
  const code = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  return { code, ...written }
}
