/** What browser tests may know of a view: `window.__graph`. */
export type GraphTestHandle = {
  /** Where a node is, in the coordinates of `page.mouse`; null if it is not there. */
  screen(id: string): { x: number; y: number } | null
  /** Places in graph units by id. */
  positions(): Record<string, [x: number, y: number]>
  /** Nodes rest and all is drawn. */
  settled(): boolean
  /** The zoom level, 0.1 to 4. */
  zoom(): number
  selected(): string | null
}

declare global {
  interface Window {
    __graph?: GraphTestHandle
  }
}

/** The newest view has the handle. Returns what takes it away again. */
export function exposeTestHandle(handle: GraphTestHandle): () => void {
  window.__graph = handle
  return () => {
    if (window.__graph === handle) delete window.__graph
  }
}
