import { ringNodesMax, ringOffsets } from '../model/ring.ts'
import type { Ring } from '../protocol.ts'
import type { GraphStage } from './graph-stage.ts'

const scaleMin = 0.9
const scaleMax = 1.4
const flightMs = 350

/** `k`: the scale at which the offsets fit the free area. */
type Members = { id: string; nodes: number[]; more: number; offsets: Float32Array; k: number }

/** Moves the neighbours of the selected node to a ring around it, and back. */
export class RingView {
  readonly #stage: GraphStage
  #members: Members | null = null

  constructor(stage: GraphStage) {
    this.#stage = stage
  }

  get open(): boolean {
    return this.#members !== null
  }

  /** Whether a node is in the ring or at its centre. */
  holds(node: number): boolean {
    const members = this.#members
    return members !== null && (members.nodes.includes(node) || this.#centre(members) === node)
  }

  /** Opens the ring of a node, closes it (null), or updates it. */
  show(id: string | null): void {
    const stage = this.#stage
    const centre = id === null ? -1 : (stage.model.indexOf.get(id) ?? -1)
    if (id === null || centre < 0 || !stage.hasPlaces || !stage.resting || !stage.isShown(centre)) {
      this.#close(id === null)
      return
    }
    const nodes = this.#neighbours(centre)
    if (nodes.length === 0) {
      this.#close(true)
      return
    }
    const isSame = this.#members?.id === id
    const k = isSame
      ? this.#members!.k
      : Math.min(scaleMax, Math.max(scaleMin, stage.camera.view.k), stage.camera.scaleMax)
    const shown = nodes.slice(0, ringNodesMax)
    this.#members = {
      id,
      nodes: shown,
      more: nodes.length - shown.length,
      offsets:
        isSame && isAlike(this.#members!.nodes, shown)
          ? this.#members!.offsets
          : this.#offsets(centre, shown, k),
      k,
    }
    this.place()
    if (isSame) return
    stage.visit()
    this.#flyTo(centre, k, flightMs)
  }

  /** Fits the ring into the free area. */
  fit(animate: boolean): void {
    const members = this.#members
    if (!members) return
    const centre = this.#centre(members)
    this.#members = { ...members, offsets: this.#offsets(centre, members.nodes, members.k) }
    this.place()
    this.#flyTo(centre, members.k, animate ? flightMs : 0)
  }

  #flyTo(centre: number, k: number, ms: number): void {
    const [x, y] = this.#stage.layoutPlaceOf(centre)
    this.#stage.camera.flyToPlace({ x, y, k }, ms)
  }

  /** Moves the ring to the current position of its centre. */
  place(): void {
    const members = this.#members
    if (!members) return
    const centre = this.#centre(members)
    const [x, y] = this.#stage.layoutPlaceOf(centre)
    const places = members.offsets.map((offset, i) => offset + (i % 2 === 0 ? x : y))
    const { nodes, more } = members
    this.#stage.setRing({ centre, nodes: Uint32Array.from(nodes), places, more } satisfies Ring)
  }

  #close(flyBack: boolean): void {
    const members = this.#members
    if (!members) return
    this.#members = null
    this.#stage.setRing(null)
    if (flyBack) this.#stage.leave()
  }

  #centre({ id }: Members): number {
    return this.#stage.model.indexOf.get(id) ?? -1
  }

  /** The most connected first. */
  #neighbours(centre: number): number[] {
    const { model } = this.#stage
    const { numbers } = model
    const edges = numbers.edgesAt(centre).filter((edge) => this.#stage.isEdgeShown(edge))
    const nodes = new Set(edges.map((edge) => numbers.otherEnd(edge, centre)))
    return [...nodes]
      .filter((node) => node !== centre && this.#stage.isShown(node))
      .sort((a, b) => numbers.degree(b) - numbers.degree(a) || a - b)
  }

  #offsets(centre: number, nodes: readonly number[], k: number): Float32Array {
    const [x, y] = this.#stage.layoutPlaceOf(centre)
    const angles = nodes.map((node) => {
      const [nodeX, nodeY] = this.#stage.layoutPlaceOf(node)
      return Math.atan2(nodeY - y, nodeX - x)
    })
    const { width, height } = this.#stage.camera.free
    return ringOffsets(angles, width / k, height / k)
  }
}

function isAlike(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((node, i) => node === b[i])
}
