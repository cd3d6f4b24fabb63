/** A page with nothing but a graph, driven by tests, the benchmark and the picture taker. */
import { createGraphView } from '../create-graph-view.ts'
import type { GraphData, GraphView, GraphViewOptions } from '../types.ts'
import { type SampleOptions, sampleGraph } from './sample-graph.ts'

const container = document.querySelector<HTMLElement>('#graph')!

const lab = {
  view: undefined as GraphView | undefined,
  events: [] as [name: string, value: unknown][],
  /** Milliseconds from `setData` to the first picture, and to rest. */
  times: { data: 0, settled: 0 },
  open(options: GraphViewOptions = {}): GraphView {
    const view = createGraphView(container, { testHandle: true, ...options })
    for (const name of ['hover', 'select', 'activate', 'zoom'] as const) {
      view.on(name, (value) => lab.events.push([name, value]))
    }
    view.on('settled', () => {
      lab.times.settled = performance.now() - lab.times.data
    })
    lab.view = view
    return view
  },
  show(data: GraphData): void {
    lab.times.data = performance.now()
    lab.view?.setData(data)
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
