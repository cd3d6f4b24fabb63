import type { Entity } from '@loci/contract/entities'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useAsOf } from '../../lib/as-of.ts'
import { countOf } from '../../lib/format.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import classes from './entity-card.module.css'

const metadataShown = 3
export type EntityAction = 'view' | 'edit' | 'delete'

type EntityCardProps = { entity: Entity; onAction: (action: EntityAction, entity: Entity) => void }

export const EntityCard = memo(function EntityCard({ entity, onAction }: EntityCardProps) {
  const isPast = useAsOf() !== undefined
  const pairs = Object.entries(entity.metadata).slice(0, metadataShown)
  return (
    <article className={classes.card}>
      <div className={classes.top}>
        <Link
          to="/entities/$entityId"
          params={{ entityId: entity.id }}
          className={classes.name}
          title={entity.name}
          dir="auto"
        >
          {entity.name}
        </Link>
        <Menu width={180} disabled={isPast}>
          <Menu.Target>
            <ActionIcon className={classes.menu} aria-label="Entity actions" disabled={isPast}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconEye size={16} />} onClick={() => onAction('view', entity)}>
              View Details
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAction('edit', entity)}>
              Edit Entity
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} />}
              onClick={() => onAction('delete', entity)}
            >
              Delete Entity
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <TypeBadge type={entity.type} />
      <dl className={classes.metadata}>
        {pairs.map(([key, value]) => (
          <div key={key} className={classes.pair}>
            <dt>{key}:</dt> <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      <footer className={classes.foot}>
        <span>{countOf(entity.observationsCount, 'observation', 'observations')}</span>
        <TimeText iso={entity.createdAt} />
      </footer>
    </article>
  )
})
