import type { GraphModel } from '../model/graph-model.ts'
import type { KeptPlaces, Regions } from '../protocol.ts'

const databaseName = 'graph-places'
const storeName = 'graphs'
/** Delay before a write, so that many changes cost one. */
const saveDelayMs = 1500
/** Longest time that the picture waits for stored data. */
const loadMsMax = 500
/** Positions of a graph this many times as large are too far apart for a graph. */
const keptRatioMax = 8
/** A region and its tint are stored in one number; there are eight tints. */
const tints = 8

/** One graph: parallel arrays, in which a region is its number times 8 plus its tint, or -1 for none. */
type Kept = { ids: string[]; positions: Float32Array; region: Int32Array }

/**
 * Stores positions and regions between visits in the browser's database. Without a database, every
 * visit lays out the graph again.
 */
export class LayoutStore {
  readonly #key: string | undefined
  #kept: Map<string, number> | null = null
  #rows: Kept | null = null
  #timer = 0
  /** Resolves once stored data has been read; null if it has been, or nothing is stored. */
  ready: Promise<void> | null

  constructor(key: string | undefined) {
    this.#key = key
    this.ready = key === undefined ? null : this.#load(key)
  }

  get enabled(): boolean {
    return this.#key !== undefined
  }

  /** Stored data for the nodes of a graph; null if there is none, or it is of a far larger graph. */
  recall({ nodes }: GraphModel): KeptPlaces | null {
    if (!this.#rows || !this.#kept || this.#kept.size > keptRatioMax * nodes.length) return null
    const positions = new Float32Array(2 * nodes.length).fill(Number.NaN)
    const region = new Int32Array(nodes.length).fill(-1)
    for (const [node, { id }] of nodes.entries()) {
      const row = this.#kept.get(id)
      if (row === undefined) continue
      positions[2 * node] = this.#rows.positions[2 * row]!
      positions[2 * node + 1] = this.#rows.positions[2 * row + 1]!
      region[node] = this.#rows.region[row]!
    }
    return { positions, region }
  }

  /** Remembers all positions, at once for this visit and after a delay for the next. */
  remember({ nodes }: GraphModel, places: Float32Array, regions: Regions | null): void {
    if (!this.enabled) return
    const region = Int32Array.from(nodes, (_, node) => {
      const row = regions?.of[node] ?? -1
      return row < 0 || row === regions?.loose ? -1 : row * tints + (regions!.tint[row]! % tints)
    })
    this.#take({ ids: nodes.map(({ id }) => id), positions: places.slice(), region })
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#save(), saveDelayMs)
  }

  /** Flushes pending writes. */
  close(): void {
    if (this.#timer !== 0) void this.#save()
  }

  #take(rows: Kept): void {
    this.#rows = rows
    this.#kept = new Map(rows.ids.map((id, row) => [id, row]))
  }

  async #load(key: string): Promise<void> {
    const patience = new Promise<undefined>((resolve) => setTimeout(resolve, loadMsMax))
    const rows = await Promise.race([
      request<Kept | undefined>('readonly', (store) => store.get(key)),
      patience,
    ])
    this.ready = null
    // Data laid out in the meantime is newer.
    if (rows && !this.#rows) this.#take(rows)
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = 0
    if (this.#rows) await request('readwrite', (store) => store.put(this.#rows, this.#key))
  }
}

/** Undefined if there is no database, or it is full or forbidden: stored positions are only a convenience. */
async function request<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(databaseName, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName)
    const database = await resultOf<IDBDatabase>(opening)
    try {
      return await resultOf<T>(ask(database.transaction(storeName, mode).objectStore(storeName)))
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

function resultOf<T>(asked: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result as T)
    asked.onerror = () => reject(asked.error)
  })
}
