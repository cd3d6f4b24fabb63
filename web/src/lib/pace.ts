/** The longest that long work holds the page at a time. */
const sliceMs = 12

/** A function to await in a loop of long work: it lets the page respond in between. */
export function createPace(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return nextTask().then(() => {
      since = performance.now()
    })
  }
}

/** A timer would be clamped to 4 ms, and slower still in a page that is not in front. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
