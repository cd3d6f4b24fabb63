import type { Entity } from '@loci/contract/entities'
import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { countOf } from '../../lib/format.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WaitsBadge } from '../../ui/waits-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { factsOf } from './card-height.ts'
import classes from './entity-card.module.css'
import { type EntityAction, EntityMenu } from './entity-menu.tsx'
import type { Selected } from './use-selection.ts'

const metadataShown = 3

type EntityCardProps = {
  entity: Entity
  isSelected: boolean
  /** Undefined if nothing can be changed. */
  onToggle: ((entity: Selected) => void) | undefined
  onAction: (action: EntityAction, entity: Entity) => void
}

export const EntityCard = memo(function EntityCard(props: EntityCardProps) {
  const { entity, isSelected, onToggle, onAction } = props
  const facts = factsOf(entity)
  const pairs = Object.entries(entity.metadata).slice(0, metadataShown)
  return (
    <article className={classes.card} data-selected={isSelected || undefined}>
      <div className={classes.top}>
        <TypeDot type={entity.type} />
        <Link
          to="/entities/$entityId"
          params={{ entityId: entity.id }}
          className={classes.name}
          title={entity.name}
          dir="auto"
        >
          <VisibleText text={entity.name} />
        </Link>
        {onToggle && (
          <span className={classes.tools}>
            <Checkbox
              size="xs"
              className={classes.check}
              aria-label={`Select ${entity.name}`}
              checked={isSelected}
              onChange={() => onToggle(entity)}
            />
            <EntityMenu entity={entity} onAction={onAction} />
          </span>
        )}
      </div>
      <p className={classes.meta}>
        <bdi className={classes.type}>
          <VisibleText text={entity.type} />
        </bdi>
        <span>{countOf(entity.observationsCount, 'observation', 'observations')}</span>
      </p>
      <div className={classes.facts}>
        {facts.map(({ id, text }) => (
          <p key={id} className={classes.fact} dir="auto">
            <VisibleText text={text} />
          </p>
        ))}
      </div>
      {pairs.length > 0 && (
        <dl className={classes.metadata}>
          {pairs.map(([key, value]) => (
            <div key={key} className={classes.pair}>
              <dt>{key}:</dt> <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <footer className={classes.foot}>
        {entity.proposed ? <WaitsBadge /> : entity.by ? <WriterBadge by={entity.by} /> : <span />}
        <span>
          created <TimeText iso={entity.createdAt} inline />
        </span>
      </footer>
    </article>
  )
})
