import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A group of processes that the kernel ends when they take more memory than `megabytes`. Linux, as root; cgroup version 1. */
export type MemoryGroup = {
  /** Starts processes inside; `start` has to spawn before it first waits. */
  enter: <T>(start: () => T) => T
  peakMegabytes: () => number
  /** How many processes the kernel has ended. */
  killed: () => number
  remove: () => void
}

const root = '/sys/fs/cgroup/memory'

export function makeMemoryGroup(megabytes: number): MemoryGroup {
  const path = join(root, `loci-bench-${process.pid}-${megabytes}`)
  mkdirSync(path)
  const write = (file: string, text: string) => writeFileSync(join(path, file), text)
  const read = (file: string) => readFileSync(join(path, file), 'utf8')
  write('memory.limit_in_bytes', String(megabytes * 1024 ** 2))
  const leave = () => writeFileSync(join(root, 'cgroup.procs'), String(process.pid))
  return {
    enter(start) {
      write('cgroup.procs', String(process.pid))
      try {
        return start()
      } finally {
        leave()
      }
    },
    peakMegabytes: () => Math.round(Number(read('memory.max_usage_in_bytes')) / 1024 ** 2),
    killed: () => Number(/^oom_kill (\d+)$/m.exec(read('memory.oom_control'))?.[1] ?? 0),
    remove: () => rmdirSync(path),
  }
}
