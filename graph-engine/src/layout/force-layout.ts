import { componentSizes } from '../model/adjacency.ts'
import type { Pins } from '../protocol.ts'
import { separateOverlaps } from './collision.ts'
import { QuadTree } from './quad-tree.ts'
import type { RegionForces } from './region-forces.ts'

export type ForceInput = {
  nodeCount: number
  source: Uint32Array
  target: Uint32Array
  /** x0, y0, x1, y1, ... */
  positions: Float32Array
  /** If absent, nodes have no size and can overlap. */
  radius?: Float32Array
  /** 1 for nodes that must not move. */
  frozen?: Uint8Array | null
  /** Ticks until everything rests. */
  ticks?: number
  linkDistance?: number
  charge?: number
  /** Width divided by height of the area to fill. */
  aspect?: number
  /** Length and strength of each link, in place of the defaults. */
  links?: { distance: Float32Array; strength: Float32Array }
  /** Replace gravity in holding everything together. */
  regions?: RegionForces | null
}

const alphaMin = 0.001
const alphaOfDrag = 0.3
const friction = 0.6
const thetaSquared = 0.9 ** 2
// A small graph has room for longer links, where relation types are legible.
const linkDistanceLarge = 64
const linkDistanceSmall = 136
const roomyNodesMax = 400
const chargePerDistanceSquared = -0.036
// Charges push a small component away from a large one by about sqrt(charge / gravity) per node, so
// components other than the main one get stronger gravity; otherwise they would drift far away.
const gravityOfMain = 0.05
const gravityOfParts = 0.09
const collisionNodesMax = 20_000

/**
 * Links pull, nodes repel (Barnes-Hut), gravity keeps disconnected components together: velocity Verlet
 * with a falling temperature `alpha`, as in d3-force. The same input always gives the same layout.
 */
export class ForceLayout {
  readonly nodeCount: number
  readonly x: Float64Array
  readonly y: Float64Array
  alpha = 1
  #alphaTarget = 0
  readonly #decay: number
  readonly #input: ForceInput
  readonly #speedX: Float64Array
  readonly #speedY: Float64Array
  /** 1 for nodes that do not move. */
  readonly pinned: Uint8Array
  #frozen: boolean
  readonly #bias: Float32Array
  readonly #strength: Float32Array
  readonly #distance: Float32Array | undefined
  readonly #gravity: Float32Array
  readonly #tree: QuadTree
  readonly #charge: number
  readonly #linkDistance: number
  readonly #aspect: number

  constructor(input: ForceInput) {
    const { nodeCount, source, target, positions } = input
    this.#input = input
    this.nodeCount = nodeCount
    this.x = Float64Array.from({ length: nodeCount }, (_, i) => positions[2 * i]!)
    this.y = Float64Array.from({ length: nodeCount }, (_, i) => positions[2 * i + 1]!)
    this.#speedX = new Float64Array(nodeCount)
    this.#speedY = new Float64Array(nodeCount)
    this.pinned = input.frozen ? input.frozen.slice() : new Uint8Array(nodeCount)
    this.#frozen = Boolean(input.frozen)
    this.#tree = new QuadTree(nodeCount)
    this.#decay = 1 - alphaMin ** (1 / (input.ticks ?? 300))
    this.#linkDistance = input.linkDistance ?? defaultLinkDistance(nodeCount)
    this.#charge = input.charge ?? chargePerDistanceSquared * this.#linkDistance ** 2
    this.#aspect = Math.sqrt(Math.min(2.2, Math.max(0.5, input.aspect ?? 1)))

    const degree = new Uint32Array(nodeCount)
    for (let i = 0; i < source.length; i++) {
      degree[source[i]!]!++
      degree[target[i]!]!++
    }
    this.#bias = Float32Array.from(source, (from, i) => degree[from]! / (degree[from]! + degree[target[i]!]!))
    const strength = () => Float32Array.from(source, (s, i) => 1 / Math.min(degree[s]!, degree[target[i]!]!))
    this.#strength = input.links?.strength ?? strength()
    this.#distance = input.links?.distance
    this.#gravity = Float32Array.from(componentSizes(nodeCount, source, target), (size) => {
      const outside = 1 - size / nodeCount
      return gravityOfMain + (gravityOfParts - gravityOfMain) * outside * outside
    })
  }

  get resting(): boolean {
    return this.alpha < alphaMin * 1.001 && this.#alphaTarget === 0
  }

  tick(): void {
    this.alpha += (this.#alphaTarget - this.alpha) * this.#decay
    this.#pullLinks()
    this.#pushNodes()
    const { x, y, nodeCount } = this
    const { regions } = this.#input
    regions?.pull(this.alpha, x, y, this.#speedX, this.#speedY)
    for (let i = 0; i < nodeCount; i++) {
      if (this.pinned[i] === 1) {
        this.#speedX[i] = 0
        this.#speedY[i] = 0
        continue
      }
      this.#speedX[i]! *= friction
      this.#speedY[i]! *= friction
      x[i]! += this.#speedX[i]!
      y[i]! += this.#speedY[i]!
    }
    if (!this.#frozen) regions?.move(this.alpha, x, y, this.pinned)
    const { radius } = this.#input
    if (radius && nodeCount <= collisionNodesMax) separateOverlaps(x, y, radius, this.pinned)
  }

  /** Pins a node at a position; with `reheat` the other nodes make room. */
  pin(node: number, x: number, y: number, reheat: boolean): void {
    if (reheat && this.#frozen) {
      this.pinned.fill(0)
      this.#frozen = false
    }
    this.pinned[node] = 1
    this.x[node] = x
    this.y[node] = y
    if (!reheat) return
    this.#alphaTarget = alphaOfDrag
    this.alpha = Math.max(this.alpha, alphaOfDrag)
  }

  /** Pins exactly these nodes. */
  hold({ nodes, places }: Pins): void {
    if (!this.#frozen) this.pinned.fill(0)
    for (const [i, node] of nodes.entries()) {
      this.pinned[node] = 1
      this.x[node] = places[2 * i]!
      this.y[node] = places[2 * i + 1]!
    }
  }

  /** Lets the temperature fall again. */
  cool(): void {
    this.#alphaTarget = 0
  }

  copyPositions(): Float32Array {
    const positions = new Float32Array(2 * this.nodeCount)
    for (let i = 0; i < this.nodeCount; i++) {
      positions[2 * i] = this.x[i]!
      positions[2 * i + 1] = this.y[i]!
    }
    return positions
  }

  #pullLinks(): void {
    const { source, target } = this.#input
    const { x, y, alpha } = this
    const speedX = this.#speedX
    const speedY = this.#speedY
    for (let i = 0; i < source.length; i++) {
      const s = source[i]!
      const t = target[i]!
      if (s === t) continue
      let dx = x[t]! + speedX[t]! - x[s]! - speedX[s]!
      let dy = y[t]! + speedY[t]! - y[s]! - speedY[s]!
      const length = Math.sqrt(dx * dx + dy * dy) || 1e-6
      const wanted = this.#distance?.[i] ?? this.#linkDistance
      const pull = ((length - wanted) / length) * alpha * this.#strength[i]!
      dx *= pull
      dy *= pull
      const bias = this.#bias[i]!
      speedX[t]! -= dx * bias
      speedY[t]! -= dy * bias
      speedX[s]! += dx * (1 - bias)
      speedY[s]! += dy * (1 - bias)
    }
  }

  #pushNodes(): void {
    const { x, y, alpha } = this
    this.#tree.build(x, y)
    const strength = this.#charge * alpha
    const gravity = this.#input.regions ? 0 : alpha
    const gravityX = gravity / this.#aspect
    const gravityY = gravity * this.#aspect
    for (let i = 0; i < this.nodeCount; i++) {
      if (this.pinned[i] === 1) continue
      this.#tree.push(i, x, y, this.#speedX, this.#speedY, strength, thetaSquared)
      this.#speedX[i]! -= x[i]! * this.#gravity[i]! * gravityX
      this.#speedY[i]! -= y[i]! * this.#gravity[i]! * gravityY
    }
  }
}

function defaultLinkDistance(nodeCount: number): number {
  const room = Math.max(0, 1 - nodeCount / roomyNodesMax) ** 2
  return linkDistanceLarge + (linkDistanceSmall - linkDistanceLarge) * room
}
