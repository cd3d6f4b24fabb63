/** Processor time of this thread so far, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Runs `work` and returns its result with the longest piece of this thread that no other work could interrupt. */
export async function longestPieceOf<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let [last, longest, isOver] = [threadMs(), 0, false]
  // Looks each millisecond, so that a piece measures at most that much too long: a look at each turn of the event loop
  // would take a core of its own while the server waits.
  const look = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setTimeout(look, 1)
  }
  setTimeout(look, 1)
  const result = await work().finally(() => {
    isOver = true
  })
  look()
  return { result, ms: longest }
}

const loopText = `[${Array(100_000).fill('{"a":1}').join(',')}]`
const loops = 5
/** What the loop takes on the machine on which 50 ms were set as the bound, when it is quiet. */
const quietLoopMs = 8

/** How much slower this thread is now than on a quiet machine: parsing a fixed text takes as many times as long. */
export function slownessNow(): number {
  const before = threadMs()
  for (let i = 0; i < loops; i++) JSON.parse(loopText)
  return Math.max(1, (threadMs() - before) / loops / quietLoopMs)
}
