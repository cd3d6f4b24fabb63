import type { LayoutReply, LayoutRequest, RenderReply, RenderRequest } from '../protocol.ts'
import type { Line, StartLines } from '../types.ts'

/** The layout and the renderer, wherever they run. */
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

/** A worker that only lays out. */
export function startLayout(): Line {
  const layout = new Worker(new URL('../layout/layout.worker.ts', import.meta.url), {
    type: 'module',
    name: 'graph layout',
  })
  return lineTo(layout)
}

/** Two workers of the page's own origin. */
export const startWorkers: StartLines = () => {
  const drawing = new Worker(new URL('../render/render.worker.ts', import.meta.url), {
    type: 'module',
    name: 'graph drawing',
  })
  return { layout: startLayout(), drawing: lineTo(drawing) }
}

function lineTo(worker: Worker): Line {
  return {
    send: (message, transfer = []) => worker.postMessage(message, transfer),
    listen(listener) {
      worker.onmessage = listener
    },
    end: () => worker.terminate(),
  }
}

export function connectWorkers(start: StartLines, listeners: WorkerListeners): GraphWorkers {
  const { layout, drawing } = start()
  const waiting = new Map<number, PromiseWithResolvers<Blob>>()
  let tickets = 0
  layout.listen(({ data }: MessageEvent<LayoutReply>) => listeners.layout(data))
  drawing.listen(({ data }: MessageEvent<RenderReply>) => {
    if (data.kind === 'drawn') listeners.drawn(data)
    else {
      const asked = waiting.get(data.ticket)
      waiting.delete(data.ticket)
      if (data.kind === 'png') asked?.resolve(data.blob)
      else asked?.reject(new Error(data.message))
    }
  })
  return {
    layout: layout.send,
    render: drawing.send,
    png(request) {
      const asked = Promise.withResolvers<Blob>()
      const ticket = ++tickets
      waiting.set(ticket, asked)
      drawing.send({ kind: 'png', ticket, ...request } satisfies RenderRequest)
      return asked.promise
    },
    terminate() {
      layout.end()
      drawing.end()
      for (const asked of waiting.values()) asked.reject(new Error('The graph view was closed'))
      waiting.clear()
    },
  }
}
