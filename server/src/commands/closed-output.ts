/** True for what is thrown when whoever read our output has stopped, as `head` does. */
export const isClosedOutput = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** Lets a command end quietly when nobody reads what it writes, and with a sentence when it cannot be written. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (isClosedOutput(error)) return
      if (stream !== process.stderr) process.stderr.write(`The output cannot be written: ${error.message}\n`)
      process.exit(1)
    })
  }
}
