import { setFlagsFromString } from 'node:v8'

/** V8 lets a heap of 50 MB grow to about three times its size before it collects garbage. */
const growthPercent = 30

/**
 * Makes this process, but not its workers, collect garbage when its heap has grown by 30 %. For a command that
 * produces much garbage: it takes less memory and no measurable time, since V8 does most of this work in other threads.
 */
export function collectSooner(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
