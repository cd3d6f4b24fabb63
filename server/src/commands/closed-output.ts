/** True for what is thrown when whoever read our output has stopped, as `head` does. */
export const isClosedOutput = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** Lets a command end quietly when nobody reads what it writes. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isClosedOutput(error)) throw error
    })
  }
}
