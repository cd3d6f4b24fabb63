import type { GraphModel } from '../model/graph-model.ts'
import type { KeptPlaces, Regions } from '../protocol.ts'

const databaseName = 'graph-places'
const storeName = 'graphs'
/** Writes wait for so long, so that many changes cost one. */
const saveDelayMs = 1500
/** The picture does not wait longer than this for what was kept. */
const loadMsMax = 500
/** A tint is kept with the number of its region: eight of them fit beside it. */
const tints = 8

/** One graph: parallel arrays, in which a region is its number times 8 plus its tint, -1 for none. */
type Kept = { ids: string[]; positions: Float32Array; region: Int32Array }

/** Keeps places and regions over visits, in the browser's database. Without one the graph is laid out every time. */
export class Keeper {
  readonly #key: string | undefined
  #kept: Map<string, number> | null = null
  #rows: Kept | null = null
  #timer = 0
  /** Done once what was kept has been read; null when it has, or nothing is kept. */
  ready: Promise<void> | null

  constructor(key: string | undefined) {
    this.#key = key
    this.ready = key === undefined ? null : this.#load(key)
  }

  get enabled(): boolean {
    return this.#key !== undefined
  }

  /** What is known of the nodes of a graph, null if nothing is. */
  recall({ nodes }: GraphModel): KeptPlaces | null {
    if (!this.#rows || !this.#kept) return null
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

  /** Remembers where everything is, for this visit at once and for the next before long. */
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

  /** Writes what still waits to be written. */
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
    // What has been laid out meanwhile is newer.
    if (rows && !this.#rows) this.#take(rows)
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = 0
    if (this.#rows) await request('readwrite', (store) => store.put(this.#rows, this.#key))
  }
}

/** Undefined where there is no database, or it is full or forbidden: places are a convenience. */
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
