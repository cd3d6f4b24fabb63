import { Session } from 'node:inspector/promises'

export type ListOf = (call: () => Promise<unknown>) => Promise<string[]>

/**
 * Gives `use` a function that lists the files of the server and the contract in which a call runs a function with a
 * name, counted by V8. It must not run while coverage is measured, whose counts it would end.
 */
export async function countingFiles<T>(use: (filesEntered: ListOf) => Promise<T>): Promise<T> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    return await use(async (call) => {
      // Starts the counts anew.
      await session.post('Profiler.takePreciseCoverage')
      await call()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const entered = result.filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
      )
      return entered.flatMap(({ url }) => /(?:server|contract)\/src\/.*/.exec(url) ?? [])
    })
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}
