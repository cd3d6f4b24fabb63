/** Resolves after the promises of the current callback of the event loop, and before any other callback. */
export const endOfCallback = () => new Promise<void>((resolve) => process.nextTick(resolve))
