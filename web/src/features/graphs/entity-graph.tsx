import type { EntityWithObservations } from '@loci/contract/entities'
import type { GraphEntity } from '@loci/contract/graph'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Panel } from '../../ui/frame.tsx'
import classes from './entity-graph.module.css'
import { GraphSkeleton } from './graph-skeleton.tsx'
import { useEntityGraph } from './graphs.queries.ts'
import { SelectedEntity } from './selected-entity.tsx'
import { StarPicture } from './star-picture.tsx'

/** A picture of an entity's connections, and details of the hovered neighbour. */
export function EntityGraph({ entity, asOf }: { entity: EntityWithObservations; asOf?: string | undefined }) {
  const { data: graph } = useEntityGraph(entity, asOf)
  const [selected, setSelected] = useState<GraphEntity>()
  const neighbours = graph?.entities.filter(({ id }) => id !== entity.id) ?? []
  const shown = neighbours.find(({ id }) => id === selected?.id) ?? neighbours[0]
  return (
    <>
      <Panel
        title="Connected Entities"
        flush
        aside={
          neighbours.length > 0 && (
            <Link to="/graph" search={{ selected: entity.id, expanded: entity.id }} className={classes.link}>
              View Graph
            </Link>
          )
        }
      >
        <div className={classes.canvas} data-empty={(graph && neighbours.length === 0) || undefined}>
          {!graph && <GraphSkeleton of="neighbours" />}
          {graph && neighbours.length === 0 && <p className={classes.none}>No connected entities found</p>}
          {graph && neighbours.length > 0 && (
            <StarPicture graph={graph} centreId={entity.id} selectedId={shown?.id} onSelect={setSelected} />
          )}
        </div>
      </Panel>
      <SelectedEntity node={shown ?? entity} isOwn={shown === undefined} />
    </>
  )
}
