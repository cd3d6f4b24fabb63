import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { wordsOfType } from '@loci/contract/lists'
import { cutLabel, observationNodeType } from './fallback-graph.ts'

export type Size = { width: number; height: number }
export type StarNode = {
  entity: GraphEntity
  x: number
  y: number
  radius: number
  label: string
  /** False if its label does not fit. */
  isNamed: boolean
}
/** All neighbours connected by one type of relation in one direction: drawn side by side, labelled once. */
export type Sector = { key: string; label: string; x: number; y: number; isNamed: boolean }
export type Star = { centre: StarNode; nodes: StarNode[]; sectors: Sector[] }

const labelMax = 15
const radiusOf = ({ observationsCount }: GraphEntity) => Math.min(20, 8 + Math.sqrt(observationsCount) * 1.5)
const letterWidth = 6.4
const labelHeight = 14

/** Places an entity's neighbours around it, in sectors by type of relation; many neighbours alternate between rings. */
export function layOutStar(graph: GraphData, centreId: string, { width, height }: Size): Star | undefined {
  const centre = graph.entities.find(({ id }) => id === centreId)
  if (centre === undefined) return undefined
  const groups = groupNeighbours(graph, centreId)
  const count = groups.reduce((sum, { members }) => sum + members.length, 0)
  const rings = ringsFor(count)
  const reach = { x: width / 2 - 62, y: height / 2 - 42 }
  const step = (Math.PI * 2) / Math.max(1, count + groups.length * gapShare)
  const placed: Box[] = []
  const star: Star = { centre: toNode(centre, width / 2, height / 2), nodes: [], sectors: [] }
  placed.push(nodeBox(star.centre), labelBox(star.centre))
  let angle = -Math.PI / 2 - (step * (groups[0]?.members.length ?? 1)) / 2
  let index = 0
  for (const { key, relationType, members } of groups) {
    angle += (step * gapShare) / 2
    const from = angle
    for (const entity of members) {
      const share = rings[index % rings.length]!
      const at = angle + step / 2
      star.nodes.push(
        toNode(
          entity,
          width / 2 + Math.cos(at) * reach.x * share,
          height / 2 + Math.sin(at) * reach.y * share,
        ),
      )
      angle += step
      index += 1
    }
    const middle = (from + angle) / 2
    const x = width / 2 + Math.cos(middle) * reach.x * sectorShare
    const y = height / 2 + Math.sin(middle) * reach.y * sectorShare
    star.sectors.push({ key, label: wordsOfType(relationType), x, y, isNamed: true })
    angle += (step * gapShare) / 2
  }
  placed.push(...star.nodes.map(nodeBox))
  for (const sector of star.sectors) sector.isNamed = takeRoom(sectorBox(sector), placed)
  for (const node of star.nodes) node.isNamed = takeRoom(labelBox(node), placed)
  return star
}

/** The gap between two sectors, in neighbours. */
const gapShare = 0.35
const sectorShare = 0.52

function ringsFor(count: number): number[] {
  if (count <= 9) return [1]
  return count <= 22 ? [1, 0.78] : [1, 0.82, 0.64]
}

type Group = { key: string; relationType: string; members: GraphEntity[] }

/** Lists each neighbour once, under its first relation with the centre; the largest groups first. */
function groupNeighbours({ entities, relations }: GraphData, centreId: string): Group[] {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const seen = new Set([centreId])
  const groups = new Map<string, Group>()
  for (const { fromEntityId, toEntityId, relationType } of relations) {
    if (fromEntityId !== centreId && toEntityId !== centreId) continue
    const isOutgoing = fromEntityId === centreId
    const otherId = isOutgoing ? toEntityId : fromEntityId
    const other = byId.get(otherId)
    if (other === undefined || seen.has(otherId)) continue
    seen.add(otherId)
    const key = `${relationType} ${isOutgoing ? 'out' : 'in'}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { key, relationType, members: [other] })
    else group.members.push(other)
  }
  return [...groups.values()].sort((a, b) => b.members.length - a.members.length)
}

function toNode(entity: GraphEntity, x: number, y: number): StarNode {
  const label = entity.type === observationNodeType ? entity.name : cutLabel(entity.name, labelMax, '…')
  return { entity, x, y, radius: radiusOf(entity), label, isNamed: true }
}

type Box = { left: number; right: number; top: number; bottom: number }

const boxAround = (x: number, y: number, width: number, height: number): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
})

const nodeBox = ({ x, y, radius }: StarNode) => boxAround(x, y, radius * 2, radius * 2)
const labelBox = ({ x, y, radius, label }: StarNode) =>
  boxAround(x, y + radius + labelHeight / 2 + 2, label.length * letterWidth, labelHeight)
const sectorBox = ({ x, y, label }: Sector) => boxAround(x, y, label.length * letterWidth, labelHeight)

/** Reserves the space of a label; returns false if it is taken. */
function takeRoom(box: Box, placed: Box[]): boolean {
  const isTaken = placed.some(
    (other) =>
      box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
  )
  if (!isTaken) placed.push(box)
  return !isTaken
}
