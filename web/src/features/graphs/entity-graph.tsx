import type { EntityWithObservations } from '@loci/contract/entities'
import type { GraphEntity } from '@loci/contract/graph'
import { useNavigate } from '@tanstack/react-router'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './entity-graph.module.css'
import { observationNodeType } from './fallback-graph.ts'
import { GraphCanvas } from './graph-canvas.tsx'
import { useEntityGraph } from './graphs.queries.ts'

type EntityGraphProps = { entity: EntityWithObservations; onSelect: (node: GraphEntity) => void }

/** What an entity is connected with, as a picture. */
export function EntityGraph({ entity, onSelect }: EntityGraphProps) {
  const { data: graph } = useEntityGraph(entity)
  const navigate = useNavigate()
  return (
    <Section title="Connected Entities" flush>
      <div className={classes.canvas}>
        {!graph && <LoadingText>Loading graph data...</LoadingText>}
        {graph && graph.entities.length <= 1 && <p className={classes.none}>No connected entities found</p>}
        {graph && graph.entities.length > 1 && (
          <GraphCanvas
            graph={graph}
            centreId={entity.id}
            onSelect={onSelect}
            onOpen={(node) => {
              if (node.type === observationNodeType) return onSelect(node)
              void navigate({ to: '/entities/$entityId', params: { entityId: node.id } })
            }}
          />
        )}
      </div>
    </Section>
  )
}
