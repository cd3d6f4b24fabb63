import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { colorOfType } from '../../ui/entity-colors.ts'
import { cutLabel } from './fallback-graph.ts'
import classes from './mini-graph.module.css'

type MiniGraphProps = {
  graph: GraphData
  centreId: string
  onSelect: (node: GraphEntity) => void
  onOpen: (node: GraphEntity) => void
}

const width = 800
const height = 400
const labelMax = 15
const ringMax = 16

/** An entity in the middle of what it is connected with. */
export function MiniGraph({ graph, centreId, onSelect, onOpen }: MiniGraphProps) {
  const places = placesOf(graph, centreId)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing, not the fields of a form
    <svg
      className={classes.graph}
      viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
      role="group"
      aria-label={`Graph with ${graph.entities.length} nodes and ${graph.relations.length} relations`}
    >
      {graph.relations.map(({ id, fromEntityId, toEntityId }) => {
        const from = places.get(fromEntityId)
        const to = places.get(toEntityId)
        return (
          from && to && <line key={id} x1={from.x} y1={from.y} x2={to.x} y2={to.y} className={classes.edge} />
        )
      })}
      {graph.entities.map((node) => {
        const { x, y } = places.get(node.id)!
        const act = () => (node.id === centreId ? onSelect(node) : onOpen(node))
        return (
          // biome-ignore lint/a11y/useSemanticElements: a shape in a drawing cannot be a button element
          <g
            key={node.id}
            transform={`translate(${x} ${y})`}
            className={classes.node}
            role="button"
            tabIndex={0}
            aria-label={`${node.name}, ${node.type}`}
            onMouseEnter={() => onSelect(node)}
            onFocus={() => onSelect(node)}
            onClick={act}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === ' ') act()
            }}
          >
            <title>{node.name}</title>
            <circle r={radiusOf(node.observationsCount)} fill={colorOfType(node.type)} />
            <text y={radiusOf(node.observationsCount) + 14} className={classes.label} aria-hidden>
              {cutLabel(node.name, labelMax)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function radiusOf(observationsCount: number): number {
  return Math.min(20, 8 + observationsCount)
}

/** The centre, and rings around it. */
function placesOf({ entities }: GraphData, centreId: string): Map<string, { x: number; y: number }> {
  const around = entities.filter(({ id }) => id !== centreId)
  const rings = Math.max(1, Math.ceil(around.length / ringMax))
  const places = new Map([[centreId, { x: 0, y: 0 }]])
  around.forEach(({ id }, index) => {
    const ring = index % rings
    const share = (ring + 1) / rings
    const angle = (index / around.length) * 2 * Math.PI - Math.PI / 2
    places.set(id, {
      x: Math.cos(angle) * (130 + 210 * share),
      y: Math.sin(angle) * (60 + 95 * share),
    })
  })
  return places
}
