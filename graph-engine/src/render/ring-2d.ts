import type { Ring } from '../protocol.ts'
import { paintEdgesOf, paintSceneNode } from './emphasis-2d.ts'
import type { Painter } from './paint.ts'
import { isEdgeShown, type Scene } from './scene.ts'

const flightMs = 350
const edgeWidth = 1.4

/** The ring while it opens, stands and closes. */
export class RingFlight {
  #ring: Ring | null = null
  /** How far the neighbours have moved, 0 to 1. */
  #level = 0
  #steppedAt = 0

  /** Drops the ring: its numbers now belong to other nodes. */
  forget(): void {
    this.#ring = null
    this.#level = 0
  }

  /** Identifies its nodes; empty if there is no ring. */
  get key(): string {
    return this.#ring ? `${this.#ring.centre} ${this.#ring.nodes.join()}` : ''
  }

  get level(): number {
    return easeOut(this.#level)
  }

  /**
   * Advances towards the ring of the scene, or back.
   * @returns whether it is still moving
   */
  step(wanted: Ring | null, still: boolean): boolean {
    const now = performance.now()
    const step = still ? 1 : Math.min(40, now - this.#steppedAt) / flightMs
    this.#steppedAt = now
    if (wanted && wanted.centre !== this.#ring?.centre) this.#level = 0
    if (wanted) this.#ring = wanted
    this.#level = Math.min(1, Math.max(0, this.#level + (wanted ? step : -step)))
    if (this.#level === 0 && !wanted) this.#ring = null
    return this.#level !== (wanted ? 1 : 0)
  }

  /** The nodes drawn on the upper canvas: those of the ring and its centre. */
  lifted(nodeCount: number): Uint8Array | null {
    const ring = this.#ring
    if (!ring || ring.centre >= nodeCount) return null
    const lifted = new Uint8Array(nodeCount)
    lifted[ring.centre] = 1
    for (const node of ring.nodes) lifted[node] = 1
    return lifted
  }

  /** The scene with the neighbours at their current positions on the way. */
  sceneOf(scene: Scene): Scene {
    const ring = this.#ring
    if (!ring) return scene
    const positions = scene.positions.slice()
    const { level } = this
    for (const [i, node] of ring.nodes.entries()) {
      positions[2 * node]! += (ring.places[2 * i]! - positions[2 * node]!) * level
      positions[2 * node + 1]! += (ring.places[2 * i + 1]! - positions[2 * node + 1]!) * level
    }
    return { ...scene, positions }
  }

  nodes(): number[] {
    return [...(this.#ring?.nodes ?? [])]
  }

  more(): number {
    return this.#ring?.more ?? 0
  }

  /** The relations between the centre and the ring. */
  edges(scene: Scene): number[] {
    const ring = this.#ring
    if (!ring || ring.centre >= scene.data.nodeCount) return []
    const members = new Set([ring.centre, ...ring.nodes])
    return scene.data
      .edgesAt(ring.centre)
      .filter((edge) => isEdgeShown(scene, edge) && members.has(scene.data.otherEnd(edge, ring.centre)))
  }

  paint(painter: Painter, scene: Scene, edges: readonly number[]): void {
    const ring = this.#ring
    if (!ring) return
    paintEdgesOf(painter, scene, ring.centre, edges, edgeWidth)
    for (const node of ring.nodes) paintSceneNode(painter, scene, node)
  }
}

function easeOut(share: number): number {
  return 1 - (1 - share) ** 3
}
