import type { EntityWithObservations } from '@loci/contract/entities'
import type { GraphEntity } from '@loci/contract/graph'
import { Button, Text, Title } from '@mantine/core'
import { IconHistory, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DeleteEntityDialog } from '../../features/entities/delete-entity-dialog.tsx'
import { MetadataSection } from '../../features/entities/metadata-section.tsx'
import { ObservationList } from '../../features/entities/observation-list.tsx'
import { EntityGraph } from '../../features/graphs/entity-graph.tsx'
import { SelectedEntity } from '../../features/graphs/selected-entity.tsx'
import { RelationshipList } from '../../features/relations/relationship-list.tsx'
import { countOf } from '../../lib/format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useDocumentTitle } from '../../ui/page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { BackButton } from './back-button.tsx'
import classes from './entity-page.module.css'

type EntityViewProps = {
  entity: EntityWithObservations
  /** Why what is shown may be out of date. */
  problem: ReactNode
  refreshing: boolean
  onRefresh: () => void
  onEdit: () => void
}

export function EntityView({ entity, problem, refreshing, onRefresh, onEdit }: EntityViewProps) {
  useDocumentTitle(entity.name)
  const navigate = useNavigate()
  const client = useQueryClient()
  const [selected, setSelected] = useState<GraphEntity>()
  const { open, close, isOpen } = useDialog<'delete', undefined>()

  function refresh() {
    onRefresh()
    void client.invalidateQueries({ queryKey: queryKeys.relationsOf(entity.id) })
    void client.invalidateQueries({ queryKey: queryKeys.entityGraph(entity.id) })
  }

  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <BackButton />
          <Title order={1} className={classes.title} dir="auto">
            {entity.name}
          </Title>
          <div className={classes.facts}>
            <TypeBadge type={entity.type} />
            <Text size="xs" c="dimmed">
              {countOf(entity.observationsCount, 'observation', 'observations')}
            </Text>
            <Text size="xs" c="dimmed">
              Created <TimeText iso={entity.createdAt} inline />
            </Text>
          </div>
        </div>
        <div className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={refreshing}
            onClick={refresh}
          >
            Refresh
          </Button>
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            renderRoot={(props) => <Link {...props} to="/history" search={{ entityId: entity.id }} />}
          >
            History
          </Button>
          <Button variant="default" leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit
          </Button>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            onClick={() => open('delete')}
          >
            Delete
          </Button>
        </div>
      </header>
      {problem}
      <div className={classes.columns}>
        <div className={classes.column}>
          <EntityGraph entity={entity} onSelect={setSelected} />
          <RelationshipList entityId={entity.id} />
        </div>
        <div className={classes.column}>
          <SelectedEntity node={selected ?? entity} />
          <ObservationList entityId={entity.id} observations={entity.observations} />
          <MetadataSection metadata={entity.metadata} />
        </div>
      </div>
      <DeleteEntityDialog
        opened={isOpen('delete')}
        entity={entity}
        onClose={close}
        onDeleted={() => void navigate({ to: '/entities' })}
      />
    </div>
  )
}
