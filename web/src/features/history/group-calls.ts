import type { Change } from '@loci/contract/changes'

/** All loaded changes of one call, in the order in which they happened. */
export type Call = {
  setId: string
  at: string
  actor: Change['actor']
  tool?: string | undefined
  changes: Change[]
}

/** Groups changes (newest first) by call. */
export function groupCalls(changes: readonly Change[]): Call[] {
  const calls: Call[] = []
  for (const change of changes) {
    const { setId, at, actor, tool } = change
    const call = calls.at(-1)
    if (call?.setId === setId) call.changes.unshift(change)
    else calls.push({ setId, at, actor, tool, changes: [change] })
  }
  return calls
}

/** Days, newest first, each with its calls; days follow the reader's calendar. */
export function groupDays(calls: readonly Call[]): { day: string; calls: Call[] }[] {
  const days = Map.groupBy(calls, ({ at }) => new Date(at).toDateString())
  return [...days].map(([day, ofDay]) => ({ day, calls: ofDay }))
}
