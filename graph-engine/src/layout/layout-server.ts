import { adjacencyOf } from '../model/adjacency.ts'
import { carryOver, GraphNumbers } from '../model/graph-numbers.ts'
import { forgetStrays, placeNewNodes } from '../model/placement.ts'
import type {
  KeptPlaces,
  LayoutReply,
  LayoutRequest,
  Outlines,
  Pins,
  Regions,
  WorkerScope,
} from '../protocol.ts'
import { floorPlanOf } from './floor-plan.ts'
import { type ForceInput, ForceLayout } from './force-layout.ts'
import { discsOf, outlinesOf } from './outlines.ts'
import { placeNewRegions } from './place-new-regions.ts'
import {
  centresOf,
  discReach,
  linkLengthFor,
  RegionForces,
  regionLinks,
  type StartingPlaces,
  startingPlaces,
} from './region-forces.ts'
import { chooseTints, findRegions, type KeptRegions } from './regions.ts'
import { sketchOf } from './sketch.ts'
import { multilevelNodesMin, multilevelPositions, spiralPositions } from './starting-positions.ts'

const frameMs = 16
/**
 * A small graph is untangled before it is shown and finishes in view: the initial tangle is not worth
 * showing.
 */
const unseenMsMax = 350
const unseenAlpha = 0.09
const ticksPerFrame = 3
/** Initial temperature and number of ticks when nodes are added to a graph at rest. */
const additionAlpha = 0.5
const additionTicks = 80
/** Upper bound also for a still picture of a large graph. */
const stillMsMax = 2000
const smallNodesMax = 800
/**
 * More nodes are shown where they start, in their regions, and then at rest: each step takes longer than a frame. Fewer
 * newcomers than this share stay on the free ground that was found for them.
 */
const crowdedNodesMin = 20_000
const fewShare = 0.02
/** A node that was not linked when it was placed goes to its neighbours if they are this many lengths away. */
const strayLengths = 4

type Change = Extract<LayoutRequest, { kind: 'change' }>

/**
 * Moves the nodes. Posts positions as often as they can be drawn, and once more when all nodes are at
 * rest.
 */
export class LayoutServer {
  readonly #scope: WorkerScope<LayoutRequest, LayoutReply>
  readonly #numbers = new GraphNumbers()
  /** A message to itself arrives immediately; a timer would be clamped to 4 ms. */
  readonly #channel = new MessageChannel()
  #layout: ForceLayout | undefined
  #regions: Regions | null = null
  #regionsSent: Regions | null = null
  /** Regions have come to rest since the layout started: additions keep their outlines. */
  #outlined = false
  #version = 0
  #serial = 0
  #still = false
  #moving = false
  #sentAt = 0

  constructor(scope: WorkerScope<LayoutRequest, LayoutReply>) {
    this.#scope = scope
    this.#channel.port1.onmessage = () => this.#step()
    scope.onmessage = ({ data }) => this.#receive(data)
  }

  #receive(data: LayoutRequest): void {
    if (data.kind === 'change') this.#change(data)
    else if (data.kind === 'sketch') this.#sketch(data)
    else if (data.kind === 'pin') this.#layout?.pin(data.node, data.x, data.y, data.reheat)
    else if (data.kind === 'drop') this.#layout?.cool()
    else if (data.kind === 'pins') this.#layout?.hold(data.pins)
    if (this.#layout && !this.#layout.resting) this.#wake()
  }

  #change(request: Change): void {
    const { patch, positions, layout: wanted } = request
    this.#numbers.apply(patch)
    if (request.more) return
    this.#serial = request.serial
    const isNewData = patch.version !== this.#version
    // Only sizes have changed, and the layout shares those.
    if (!isNewData && patch.nodes.index.length + patch.edges.index.length > 0) return
    if (isNewData && this.#regions)
      this.#regions = { ...this.#regions, of: carryOver(this.#regions.of, 1, patch, -1) }
    this.#version = patch.version
    this.#still = request.still
    this.#sentAt = performance.now()
    if (wanted === 'plan') this.#plan(request)
    else if (positions) this.#addTo(positions, request)
    else this.#start(request)
  }

  #sketch({ serial, map }: Extract<LayoutRequest, { kind: 'sketch' }>): void {
    const sketch = sketchOf(map)
    if (sketch) this.#scope.postMessage({ kind: 'sketch', serial, sketch })
  }

  #plan({ aspect }: Change): void {
    const { color, radius, source, target } = this.#numbers
    const result = floorPlanOf({ type: color, radius, source, target }, aspect)
    this.#layout = undefined
    this.#scope.postMessage({ kind: 'plan', serial: this.#serial, plan: result.plan })
    this.#scope.postMessage({
      kind: 'positions',
      serial: this.#serial,
      positions: result.positions,
      done: true,
    })
  }

  /** Nodes still untangling continue; nodes that were at rest stay where they are. */
  #addTo(positions: Float32Array, { patch, newcomers, aspect, pins, regions: wanted }: Change): void {
    const before = this.#layout
    const goesOn = before !== undefined && before.alpha > additionAlpha / 10
    const frozen = goesOn
      ? carryOver(before.pinned, 1, patch, 0)
      : new Uint8Array(this.#numbers.nodeCount).fill(1, 0, this.#numbers.nodeCount - newcomers)
    const isFrozen = frozen.includes(1)
    this.#divide(wanted, this.#regions && keptOf(this.#regions))
    if (this.#regions) chooseTints(this.#regions, centresOf(this.#regions, positions))
    this.#layout = new ForceLayout({
      ...this.#graph(aspect),
      positions,
      frozen: isFrozen ? frozen : null,
      ticks: isFrozen ? additionTicks : this.#ticksFor(this.#numbers.nodeCount),
    })
    this.#layout.hold(pins)
    this.#layout.alpha = goesOn ? before.alpha : newcomers > 0 ? additionAlpha : 0
    if (this.#layout.resting) this.#send(true)
  }

  #start({ aspect, pins, kept, regions: wanted }: Change): void {
    if (kept?.positions.some((value) => !Number.isNaN(value))) {
      this.#resume(kept, aspect, pins, wanted)
      return
    }
    const { nodeCount, source, target } = this.#numbers
    this.#outlined = this.#isCrowded
    this.#divide(wanted, null)
    const large = nodeCount > multilevelNodesMin
    const length = linkLengthFor(nodeCount)
    const placed = this.#regions && startingPlaces(this.#regions, { source, target }, length, clamped(aspect))
    const positions =
      placed?.positions ??
      (large ? multilevelPositions(nodeCount, source, target, aspect) : spiralPositions(nodeCount))
    if (this.#regions) chooseTints(this.#regions, centresOf(this.#regions, positions))
    const isShown = placed !== null && this.#isCrowded
    if (isShown) this.#showStart(placed)
    this.#layout = new ForceLayout({
      ...this.#graph(aspect, placed?.reach),
      positions,
      ticks: this.#ticksFor(nodeCount),
    })
    if (placed) this.#layout.alpha = large ? 0.5 : 0.9
    this.#layout.hold(pins)
    if (!large) {
      const begun = performance.now()
      while (this.#layout.alpha > unseenAlpha && performance.now() - begun < unseenMsMax) this.#layout.tick()
    }
    if (!isShown && (!this.#still || this.#isCrowded)) this.#send(false)
  }

  /** Many nodes are shown where they start before anything else is computed: first in discs, then in outlines. */
  #showStart(placed: StartingPlaces): void {
    const regions = this.#regions!
    this.#regionsSent = regions
    const show = (outlines: Outlines) =>
      this.#scope.postMessage({ kind: 'regions', serial: this.#serial, regions, outlines })
    show(discsOf(placed))
    const positions = placed.positions.slice()
    this.#scope.postMessage({ kind: 'positions', serial: this.#serial, positions, done: false }, [
      positions.buffer,
    ])
    show(outlinesOf(placed.positions, regions))
  }

  /** What is on the map stays, and new nodes find their places. */
  #resume(kept: KeptPlaces, aspect: number, pins: Pins, wanted: boolean): void {
    const { nodeCount, source, target } = this.#numbers
    const length = linkLengthFor(nodeCount)
    const positions = kept.positions.slice()
    this.#divide(wanted, { of: kept.region, key: Int32Array.from(kept.tint.keys()), ...kept })
    const regions = this.#regions
    if (regions) {
      const hasJoined = (node: number) => kept.region[node]! < 0 && regions.of[node] !== regions.loose
      forgetStrays(positions, hasJoined, this.#numbers, strayLengths * length)
    }
    const frozen = Uint8Array.from({ length: nodeCount }, (_, node) =>
      Number.isNaN(positions[2 * node]!) ? 0 : 1,
    )
    if (this.#regions) placeNewRegions(positions, this.#regions, { source, target }, length)
    placeNewNodes(positions, this.#numbers)
    const areFew = this.#isCrowded && frozen.reduce((sum, one) => sum - one, nodeCount) < fewShare * nodeCount
    for (let node = 0; node < nodeCount; node++)
      if (areFew || this.#numbers.degree(node) === 0) frozen[node] = 1
    if (this.#regions) chooseTints(this.#regions, centresOf(this.#regions, positions))
    this.#layout = new ForceLayout({ ...this.#graph(aspect), positions, frozen, ticks: additionTicks })
    this.#layout.alpha = frozen.includes(0) ? additionAlpha : 0
    this.#layout.hold(pins)
    this.#send(this.#layout.resting)
  }

  get #isCrowded(): boolean {
    return this.#numbers.nodeCount > crowdedNodesMin
  }

  #divide(wanted: boolean, kept: KeptRegions | null): void {
    const { nodeCount, source, target, radius } = this.#numbers
    this.#regions =
      wanted && nodeCount > 0 ? findRegions(adjacencyOf(nodeCount, source, target), radius, kept) : null
  }

  #graph(aspect: number, reach?: Float64Array): Omit<ForceInput, 'positions'> {
    const { nodeCount, source, target, radius } = this.#numbers
    const common = { nodeCount, source, target, radius, aspect }
    if (!this.#regions) return common
    const length = linkLengthFor(nodeCount)
    const reaches = reach ?? Float64Array.from(this.#regions.size, (size) => discReach(size, length))
    return {
      ...common,
      linkDistance: length,
      links: regionLinks({ source, target }, this.#regions.of, length),
      regions: new RegionForces(this.#regions, reaches, length, clamped(aspect)),
    }
  }

  #ticksFor(nodeCount: number): number {
    if (nodeCount <= smallNodesMax) return this.#regions ? 180 : 300
    if (nodeCount > 30_000) return 30
    return this.#regions ? 72 : 120
  }

  #wake(): void {
    if (this.#moving) return
    this.#moving = true
    this.#channel.port2.postMessage(0)
  }

  #step(): void {
    if (!this.#layout) {
      this.#moving = false
      return
    }
    const begun = performance.now()
    let ticks = 0
    do {
      this.#layout.tick()
      ticks++
    } while (
      !this.#layout.resting &&
      (this.#still || ticks < ticksPerFrame) &&
      performance.now() - begun < frameMs / 2
    )
    const now = performance.now()
    const resting = this.#layout.resting
    const pauseMs = this.#isCrowded ? Infinity : this.#still ? stillMsMax : frameMs
    if (resting || now - this.#sentAt >= pauseMs) this.#send(resting)
    this.#moving = !resting
    if (!this.#moving) return
    const rest = frameMs - (now - begun)
    if (this.#still || rest <= 4) this.#channel.port2.postMessage(0)
    else setTimeout(() => this.#step(), rest)
  }

  #send(done: boolean): void {
    if (!this.#layout) return
    this.#sentAt = performance.now()
    const positions = this.#layout.copyPositions()
    if (this.#regions !== this.#regionsSent || (this.#regions && done)) {
      this.#regionsSent = this.#regions
      this.#outlined ||= done
      const outlines = this.#regions && this.#outlined ? outlinesOf(positions, this.#regions) : null
      this.#scope.postMessage({ kind: 'regions', serial: this.#serial, regions: this.#regions, outlines })
    }
    this.#scope.postMessage({ kind: 'positions', serial: this.#serial, positions, done }, [positions.buffer])
  }
}

/** Regions found in a graph that is not on the map yet; who represents them is open until all nodes rest. */
function keptOf({ of, loose, ...rows }: Regions): KeptRegions {
  return {
    of: of.map((row) => (row === loose ? -1 : row)),
    ...rows,
    hub: Int32Array.from(rows.hub, () => -1),
  }
}

function clamped(aspect: number): number {
  return Math.min(2.2, Math.max(0.5, aspect))
}
