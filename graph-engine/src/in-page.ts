import { LayoutServer } from './layout/layout-server.ts'
import type { LayoutReply, LayoutRequest, RenderReply, RenderRequest, WorkerScope } from './protocol.ts'
import { RenderServer } from './render/render-server.ts'
import type { Line, StartLines } from './types.ts'

/**
 * Runs layout and drawing in the page itself, for the option `start`, where a Content-Security-Policy
 * forbids workers. Meant for neighbourhoods of a few hundred nodes.
 */
export const startInPage: StartLines = () => ({
  layout: serve<LayoutRequest, LayoutReply>((scope) => new LayoutServer(scope)),
  drawing: serve<RenderRequest, RenderReply>((scope) => new RenderServer(scope)),
})

/** A channel delivers messages as a worker does: asynchronously, as copies, with transferred objects. */
function serve<In, Out>(start: (scope: WorkerScope<In, Out>) => void): Line {
  const { port1, port2 } = new MessageChannel()
  const scope: WorkerScope<In, Out> = {
    onmessage: null,
    postMessage: (message, transfer = []) => port2.postMessage(message, transfer),
  }
  start(scope)
  port2.onmessage = (event) => scope.onmessage?.(event)
  return {
    send: (message, transfer = []) => port1.postMessage(message, transfer),
    listen(listener) {
      port1.onmessage = listener
    },
    end() {
      port1.close()
      port2.close()
    },
  }
}
