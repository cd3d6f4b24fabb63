/** Whether an error means that the reader of our output has closed it, as `head` does. */
export const isClosedOutput = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** Ends a command silently if its output is closed, and with a message if it cannot be written. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (isClosedOutput(error)) return
      if (stream !== process.stderr) process.stderr.write(`The output cannot be written: ${error.message}\n`)
      process.exit(1)
    })
  }
}
