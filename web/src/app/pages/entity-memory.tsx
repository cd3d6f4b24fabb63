import type { EntityWithObservations } from '@loci/contract/entities'
import { EntityGraph } from '../../features/graphs/entity-graph.tsx'
import { ObservationPanel } from '../../features/observations/observation-panel.tsx'
import { RelationshipList } from '../../features/relations/relationship-list.tsx'
import { useMayWrite } from '../../lib/rights.ts'
import { Frame } from '../../ui/frame.tsx'
import classes from './entity-page.module.css'

type MemoryProps = { entity: EntityWithObservations; asOf: string | undefined }

/** An entity's observations and relations. */
export function EntityMemory({ entity, asOf }: MemoryProps) {
  const { id, name, type } = entity
  const isReadOnly = !useMayWrite()
  return (
    <Frame className={classes.memory}>
      <div className={classes.half}>
        <ObservationPanel entityId={id} observations={entity.observations} isReadOnly={isReadOnly} />
      </div>
      <div className={classes.half}>
        <EntityGraph entity={entity} asOf={asOf} />
        <RelationshipList entity={{ id, name, type }} asOf={asOf} />
      </div>
    </Frame>
  )
}
