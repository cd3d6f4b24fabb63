import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Resident memory of a process in MB, from Linux's /proc; NaN elsewhere. */
export function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

/** The number of files and sockets that a process has open, from Linux's /proc; NaN elsewhere. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

/** Processor time of a process with all its threads; NaN where Linux does not count it in nanoseconds. */
export function processorMsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return Number.NaN
  const nanoseconds = readdirSync(tasks).map((id) =>
    Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
