import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

/** Runs a program to its end; if it fails, throws an error with all its output. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const isScript = process.platform === 'win32' && /^np[mx]$/.test(command)
  const options = { cwd, shell: isScript, maxBuffer: 64 * 1024 ** 2 }
  const { stdout } = await runFile(command, args, options).catch((error) => {
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout
}
