import type { Page } from 'playwright-core'

/** A task of the page's main thread: when it began, in microseconds, and the processor time that it took. */
type Task = { start: number; ms: number }

/** `marks`: when the page called `performance.mark`. */
export type PageTasks = { tasks: Task[]; marks: Record<string, number> }

type TraceEvent = {
  name: string
  cat: string
  ph: string
  pid: number
  tid: number
  ts: number
  tdur?: number
  args: { name?: string }
}

const categories = ['disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata']

/** Records the tasks of the page's main thread until the returned function is called. */
export async function recordTasks(page: Page): Promise<() => Promise<PageTasks>> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories })
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[]
    }
    return tasksOf(traceEvents)
  }
}

function tasksOf(events: readonly TraceEvent[]): PageTasks {
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain'
  const main = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`))
    .map(({ ts, tdur = 0 }) => ({ start: ts, ms: tdur / 1000 }))
  const marks = events.filter(({ cat, ph }) => cat === 'blink.user_timing' && (ph === 'I' || ph === 'R'))
  return { tasks, marks: Object.fromEntries(marks.map(({ name, ts }) => [name, ts])) }
}

/** In whole milliseconds of processor time. */
export function longestTask({ tasks }: PageTasks): number {
  return Math.round(Math.max(0, ...tasks.map(({ ms }) => ms)))
}
