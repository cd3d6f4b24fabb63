/** A page with only a graph, used by tests, the benchmark and the screenshot script. */
import { createGraphView } from '../create-graph-view.ts'
import { startInPage } from '../in-page.ts'
import type { GraphData, GraphView, GraphViewOptions } from '../types.ts'
import { layoutQuality } from './layout-quality.ts'
import { type SampleGraph, type SampleOptions, sampleGraph } from './sample-graph.ts'

const container = document.querySelector<HTMLElement>('#graph')!

const lab = {
  view: undefined as GraphView | undefined,
  events: [] as [name: string, value: unknown][],
  /**
   * Milliseconds from `setData` to the first picture and to rest; `handed` is the duration of the call
   * itself.
   */
  times: { data: 0, handed: 0, first: 0, settled: 0 },
  /** Durations of tasks that blocked the main thread for more than 50 ms, since `show` returned. */
  longTasks: [] as number[],
  open(options: GraphViewOptions = {}): GraphView {
    const view = createGraphView(container, { testHandle: true, ...options })
    for (const name of ['hover', 'select', 'activate', 'zoom', 'lasso', 'map'] as const) {
      view.on(name, (value) => lab.events.push([name, value]))
    }
    view.on('settled', () => {
      lab.times.settled = performance.now() - lab.times.data
    })
    lab.view = view
    return view
  },
  openInPage: (options: GraphViewOptions = {}): GraphView => lab.open({ ...options, start: startInPage }),
  show(data: GraphData): void {
    lab.times.data = performance.now()
    const shown = new MutationObserver(() => {
      lab.times.first = performance.now() - lab.times.data
      shown.disconnect()
    })
    const canvas = container.querySelector('canvas')
    if (canvas) shown.observe(canvas, { attributeFilter: ['style'] })
    lab.view?.setData(data)
    const loaded = performance.now()
    lab.times.handed = loaded - lab.times.data
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        if (startTime > loaded) lab.longTasks.push(duration)
    }).observe({ entryTypes: ['longtask'] })
  },
  /**
   * Mean edge length divided by the mean distance of random pairs: the further below 1, the clearer the
   * groups.
   */
  quality(data: SampleGraph): number {
    return layoutQuality(data, window.__graph?.positions() ?? {})
  },
  sample: (options: SampleOptions) => sampleGraph(options),
}

export type Lab = typeof lab

declare global {
  interface Window {
    lab: Lab
  }
}

window.lab = lab
