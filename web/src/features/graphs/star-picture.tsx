import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { useElementSize } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useMemo } from 'react'
import { countOf } from '../../lib/format.ts'
import { useTypeColors } from '../../ui/type-colors.tsx'
import { observationNodeType } from './fallback-graph.ts'
import { layOutStar, type Star, type StarNode } from './star-layout.ts'
import classes from './star-picture.module.css'

type StarProps = {
  graph: GraphData
  centreId: string
  selectedId: string | undefined
  /** Called when a node is hovered or focused. */
  onSelect: (node: GraphEntity) => void
}

/** An entity and its neighbours; each neighbour links to its own page. */
export function StarPicture({ graph, centreId, selectedId, onSelect }: StarProps) {
  const { ref, width, height } = useElementSize()
  const star = useMemo(
    () => (width > 0 && height > 0 ? layOutStar(graph, centreId, { width, height }) : undefined),
    [graph, centreId, width, height],
  )
  const entities = countOf(graph.entities.length, 'entity', 'entities')
  const relations = countOf(graph.relations.length, 'relation', 'relations')
  return (
    <div ref={ref} className={classes.frame}>
      {star && (
        // biome-ignore lint/a11y/useSemanticElements: a picture of links
        <svg
          className={classes.picture}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={`Graph with ${entities} and ${relations}`}
          onKeyDown={walk}
        >
          <Spokes star={star} graph={graph} selectedId={selectedId} />
          <Disc node={star.centre} isCentre isSelected={false} />
          {star.nodes.map((node, index) => (
            <Neighbour
              key={node.entity.id}
              node={node}
              isFirst={index === 0}
              isSelected={node.entity.id === selectedId}
              onSelect={onSelect}
            />
          ))}
        </svg>
      )}
    </div>
  )
}

function Spokes({ star, graph, selectedId }: { star: Star } & Pick<StarProps, 'graph' | 'selectedId'>) {
  const places = new Map([star.centre, ...star.nodes].map((node) => [node.entity.id, node]))
  const centreId = star.centre.entity.id
  return (
    <g aria-hidden>
      {graph.relations.map(({ id, fromEntityId, toEntityId }) => {
        const [from, to] = [places.get(fromEntityId), places.get(toEntityId)]
        if (from === undefined || to === undefined) return null
        const isSpoke = fromEntityId === centreId || toEntityId === centreId
        const isLit = fromEntityId === selectedId || toEntityId === selectedId
        return (
          <line
            key={id}
            className={classes.line}
            data-spoke={isSpoke || undefined}
            data-lit={isLit || undefined}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
          />
        )
      })}
      {star.sectors.map(({ key, label, x, y, isNamed }) =>
        isNamed ? (
          <text key={key} className={classes.relation} x={x} y={y + 4}>
            {label}
          </text>
        ) : null,
      )}
    </g>
  )
}

type NeighbourProps = {
  node: StarNode
  isFirst: boolean
  isSelected: boolean
  onSelect: (node: GraphEntity) => void
}

function Neighbour({ node, isFirst, isSelected, onSelect }: NeighbourProps) {
  const { entity } = node
  const props = {
    className: classes.node,
    // One tab stop; the arrow keys move around the picture.
    tabIndex: isFirst ? 0 : -1,
    'data-node': entity.id,
    'aria-label': nameOf(node),
    onPointerEnter: () => onSelect(entity),
    onFocus: () => onSelect(entity),
  }
  const drawn = <Disc node={node} isSelected={isSelected} />
  if (entity.type === observationNodeType) {
    return <g {...props}>{drawn}</g>
  }
  return (
    <Link to="/entities/$entityId" params={{ entityId: entity.id }} {...props}>
      {drawn}
    </Link>
  )
}

/** The accessible name starts with the label as shown, even if that is truncated. */
function nameOf({ entity: { name, type }, label }: StarNode): string {
  return label === name ? `${name}, ${type}` : `${label} ${name}, ${type}`
}

type DiscProps = { node: StarNode; isSelected: boolean; isCentre?: boolean }

function Disc({ node, isSelected, isCentre = false }: DiscProps): ReactNode {
  const { entity, x, y, radius, label, isNamed } = node
  const { color, isRing } = useTypeColors()(entity.type)
  return (
    <>
      <title>{entity.name}</title>
      {(isCentre || isSelected) && (
        <circle className={classes.ring} data-centre={isCentre || undefined} cx={x} cy={y} r={radius + 4} />
      )}
      <circle
        className={isRing ? classes.hollow : undefined}
        cx={x}
        cy={y}
        r={isRing ? radius - 1.5 : radius}
        style={isRing ? { stroke: color } : { fill: color }}
      />
      {(isNamed || isSelected) && (
        <text className={classes.label} data-centre={isCentre || undefined} x={x} y={y + radius + 14}>
          {label}
        </text>
      )}
    </>
  )
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function walk(event: KeyboardEvent<SVGSVGElement>) {
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const nodes = [...event.currentTarget.querySelectorAll<SVGElement>('[data-node]')]
  const at = nodes.indexOf(event.target as SVGElement)
  nodes.at((at + step) % nodes.length)?.focus()
}
