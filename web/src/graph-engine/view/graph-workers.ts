import type { LayoutReply, LayoutRequest, RenderReply, RenderRequest } from '../protocol.ts'

export type GraphWorkers = {
  layout(request: LayoutRequest, transfer?: Transferable[]): void
  render(request: RenderRequest, transfer?: Transferable[]): void
  /** Draws a PNG in the render worker. */
  png(request: Omit<Extract<RenderRequest, { kind: 'png' }>, 'kind' | 'ticket'>): Promise<Blob>
  terminate(): void
}

export type WorkerListeners = {
  layout(reply: LayoutReply): void
  drawn(reply: Extract<RenderReply, { kind: 'drawn' }>): void
}

/** Starts both workers. */
export function startWorkers(listeners: WorkerListeners): GraphWorkers {
  const layoutWorker = new Worker(new URL('../layout/layout.worker.ts', import.meta.url), {
    type: 'module',
    name: 'graph layout',
  })
  const renderWorker = new Worker(new URL('../render/render.worker.ts', import.meta.url), {
    type: 'module',
    name: 'graph drawing',
  })
  const waiting = new Map<number, PromiseWithResolvers<Blob>>()
  let tickets = 0
  layoutWorker.onmessage = ({ data }: MessageEvent<LayoutReply>) => listeners.layout(data)
  renderWorker.onmessage = ({ data }: MessageEvent<RenderReply>) => {
    if (data.kind === 'drawn') listeners.drawn(data)
    else {
      const asked = waiting.get(data.ticket)
      waiting.delete(data.ticket)
      if (data.kind === 'png') asked?.resolve(data.blob)
      else asked?.reject(new Error(data.message))
    }
  }
  return {
    layout: (request, transfer = []) => layoutWorker.postMessage(request, transfer),
    render: (request, transfer = []) => renderWorker.postMessage(request, transfer),
    png(request) {
      const asked = Promise.withResolvers<Blob>()
      const ticket = ++tickets
      waiting.set(ticket, asked)
      renderWorker.postMessage({ kind: 'png', ticket, ...request } satisfies RenderRequest)
      return asked.promise
    },
    terminate() {
      layoutWorker.terminate()
      renderWorker.terminate()
      for (const asked of waiting.values()) asked.reject(new Error('The graph view was closed'))
      waiting.clear()
    },
  }
}
