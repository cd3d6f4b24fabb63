import type { EntityWithObservations } from '@loci/contract/entities'
import { Tabs } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DeleteEntityDialog } from '../../features/entities/delete-entity-dialog.tsx'
import { EntityAliases } from '../../features/entities/entity-aliases.tsx'
import { EntityTitle } from '../../features/entities/entity-title.tsx'
import { MetadataPanel } from '../../features/entities/metadata-panel.tsx'
import { useRelationsOf } from '../../features/relations/relations.queries.ts'
import { ShareDialog } from '../../features/shares/share-dialog.tsx'
import { countOf } from '../../lib/format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay, useMayWrite } from '../../lib/rights.ts'
import { useDocumentTitle } from '../../ui/page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { BackButton } from './back-button.tsx'
import { EntityActions } from './entity-actions.tsx'
import { EntityHistory } from './entity-history.tsx'
import { EntityMemory } from './entity-memory.tsx'
import { EntityMerge } from './entity-merge.tsx'
import classes from './entity-page.module.css'

const route = getRouteApi('/app/entities/$entityId')

type EntityViewProps = {
  entity: EntityWithObservations
  version: string | null
  /** The moment shown; now if undefined. */
  asOf: string | undefined
  /** Why the data shown may be out of date. */
  problem: ReactNode
  refreshing: boolean
  onRefresh: () => void
  onEdit: () => void
}

export function EntityView(props: EntityViewProps) {
  const { entity, version, asOf, onRefresh, onEdit } = props
  useDocumentTitle(entity.name)
  const { tab = 'memory', held } = route.useSearch()
  const navigate = useNavigate({ from: '/entities/$entityId' })
  // Keeps unsaved text there while another tab is open.
  const [isMemoryKept, keepMemory] = useState(tab === 'memory')
  if (tab === 'memory' && !isMemoryKept) keepMemory(true)
  const client = useQueryClient()
  const [isNaming, setNaming] = useState(false)
  const { open, close, isOpen } = useDialog<'delete' | 'merge' | 'share', undefined>()
  const heldAt = momentOf(held)
  const moveTo = (moment: number | undefined) =>
    void navigate({
      search: (was) => ({ ...was, held: moment === undefined ? undefined : new Date(moment).toISOString() }),
      replace: true,
      resetScroll: false,
    })
  const isReadOnly = !useMayWrite() || heldAt !== undefined
  const mayShare = useMay('memory:share') && asOf === undefined

  function refresh() {
    onRefresh()
    void client.invalidateQueries({ queryKey: queryKeys.relationsOf(entity.id) })
    void client.invalidateQueries({ queryKey: queryKeys.entityGraph(entity.id) })
    void client.invalidateQueries({ queryKey: queryKeys.history() })
  }

  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <BackButton />
          <EntityTitle entity={entity} version={version} isReadOnly={isReadOnly} />
          <Facts entity={entity} asOf={asOf} />
          <EntityAliases
            entity={entity}
            version={version}
            isReadOnly={isReadOnly}
            isAdding={isNaming}
            onAdding={setNaming}
          />
        </div>
        <EntityActions
          entity={entity}
          isReadOnly={isReadOnly}
          isPast={asOf !== undefined || heldAt !== undefined}
          refreshing={props.refreshing}
          onRefresh={refresh}
          onEdit={onEdit}
          onMerge={() => open('merge')}
          onAlias={() => setNaming(true)}
          onDelete={() => open('delete')}
          onShare={mayShare ? () => open('share') : undefined}
        />
      </header>
      {props.problem}
      <Tabs
        value={tab}
        keepMounted={false}
        keepMountedMode="display-none"
        classNames={{ list: classes.tabs, tab: classes.tab }}
        onChange={(next) =>
          void navigate({
            search: (was) => ({ ...was, tab: next === 'memory' ? undefined : (next ?? undefined) }),
            replace: true,
            resetScroll: false,
          })
        }
      >
        <Tabs.List>
          <Tabs.Tab value="memory">Memory</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
          <Tabs.Tab value="metadata" rightSection={<Count of={Object.keys(entity.metadata).length} />}>
            Metadata
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="memory" pt="md" keepMounted={isMemoryKept}>
          <EntityMemory
            entity={entity}
            asOf={asOf}
            heldAt={heldAt}
            onMove={moveTo}
            isActive={tab === 'memory'}
          />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <EntityHistory entityId={entity.id} />
        </Tabs.Panel>
        <Tabs.Panel value="metadata" pt="md">
          <MetadataPanel metadata={entity.metadata} onEdit={isReadOnly ? undefined : onEdit} />
        </Tabs.Panel>
      </Tabs>
      <ShareDialog
        subject={
          isOpen('share') ? { view: { kind: 'entity', entityId: entity.id }, name: entity.name } : undefined
        }
        onClose={close}
      />
      <DeleteEntityDialog
        opened={isOpen('delete')}
        entity={entity}
        onClose={close}
        onDeleted={() => void navigate({ to: '/entities' })}
      />
      <EntityMerge entity={entity} opened={isOpen('merge')} onClose={close} />
    </div>
  )
}

/** The moment in an address; undefined if there is none, or it is none. */
function momentOf(held: string | undefined): number | undefined {
  const moment = Date.parse(held ?? '')
  return Number.isNaN(moment) ? undefined : moment
}

function Facts({ entity, asOf }: Pick<EntityViewProps, 'entity' | 'asOf'>) {
  const { data } = useRelationsOf(entity.id, asOf)
  const relations = data?.pages[0]?.total
  return (
    <div className={classes.facts}>
      <TypeBadge type={entity.type} />
      <span>{countOf(entity.observationsCount, 'observation', 'observations')}</span>
      {relations !== undefined && <span>{countOf(relations, 'relation', 'relations')}</span>}
      <span>
        Created <TimeText iso={entity.createdAt} inline />
      </span>
      {entity.by && (
        <span className={classes.by}>
          by <WriterBadge by={entity.by} />
        </span>
      )}
    </div>
  )
}

const Count = ({ of }: { of: number }) => (of > 0 ? <span className={classes.count}>{of}</span> : null)
