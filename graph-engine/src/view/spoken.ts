import type { GraphModel } from '../model/graph-model.ts'
import type { GraphRegion } from '../types.ts'
import { counted } from './surface.ts'

const regionsSaid = 8
const relationsSaid = 3

/** A node in words: what it is, how much is known about it, and where it is. */
export function spokenNode(model: GraphModel, index: number, region: GraphRegion | null): string {
  const { name, type, observationsCount } = model.nodes[index]!
  const observations = counted(observationsCount, 'observation', 'observations')
  const relations = counted(model.numbers.degree(index), 'relation', 'relations')
  const place = region === null ? '' : region.loose ? `, ${region.name.toLowerCase()}` : `, in ${region.name}`
  return `${name}, ${type}, ${observations}, ${relations}${place}`
}

/** What leads from one node to another, as sentences; empty if nothing does. */
export function spokenStep({ nodes, edges, numbers }: GraphModel, from: number, to: number): string {
  const between = numbers.edgesAt(from).filter((edge) => numbers.otherEnd(edge, from) === to)
  const said = between.slice(0, relationsSaid).map((edge) => {
    const verb = edges[edge]!.relationType.replaceAll(/[_-]+/g, ' ')
    return `${nodes[numbers.source[edge]!]!.name} ${verb} ${nodes[numbers.target[edge]!]!.name}. `
  })
  const more = between.length - said.length
  return said.join('') + (more > 0 ? `And ${counted(more, 'more relation', 'more relations')}. ` : '')
}

/** The graph in words, for those who do not see its regions. */
export function spokenRegions(regions: readonly GraphRegion[]): string {
  const said = regions
    .slice(0, regionsSaid)
    .map(({ name, size }) => `${name}, ${counted(size, 'node', 'nodes')}`)
  const more = regions.length - said.length
  if (more > 0) said.push(`and ${counted(more, 'more region', 'more regions')}`)
  const list = said.length === 0 ? '' : `Regions: ${said.join('; ')}. `
  return `${list}Arrow keys walk along relations, Enter expands a node, Escape goes back.`
}
