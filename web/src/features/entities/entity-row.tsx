import type { Entity } from '@loci/contract/entities'
import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WaitsBadge } from '../../ui/waits-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { type EntityAction, EntityMenu } from './entity-menu.tsx'
import classes from './entity-table.module.css'
import type { Selected } from './use-selection.ts'

const factLengthShown = 160

type EntityRowProps = {
  entity: Entity
  rowIndex: number
  isSelected: boolean
  onToggle: ((entity: Selected) => void) | undefined
  onAction: (action: EntityAction, entity: Entity) => void
}

export const EntityRow = memo(function EntityRow(props: EntityRowProps) {
  const { entity, rowIndex, isSelected, onToggle, onAction } = props
  const latest = entity.observations?.at(-1)
  const writer = latest?.by ?? entity.by
  return (
    <tr aria-rowindex={rowIndex} className={classes.row} data-selected={isSelected || undefined}>
      {onToggle && (
        <td className={classes.check}>
          <Checkbox
            size="xs"
            aria-label={`Select ${entity.name}`}
            checked={isSelected}
            onChange={() => onToggle(entity)}
          />
        </td>
      )}
      <td>
        <Link
          to="/entities/$entityId"
          params={{ entityId: entity.id }}
          className={classes.name}
          title={entity.name}
          dir="auto"
        >
          <VisibleText text={entity.name} />
        </Link>
      </td>
      <td className={classes.type}>
        <span className={classes.typeCell} title={entity.type}>
          <TypeDot type={entity.type} />
          <bdi className={classes.cut}>
            <VisibleText text={entity.type} />
          </bdi>
        </span>
      </td>
      <td className={classes.fact}>
        <div className={classes.cut} dir="auto">
          {latest && <VisibleText text={plainText(latest.content, factLengthShown)} />}
        </div>
      </td>
      <td className={classes.figure}>{formatNumber(entity.observationsCount)}</td>
      <td className={classes.figure}>
        {entity.relationsCount !== undefined && formatNumber(entity.relationsCount)}
      </td>
      <td className={classes.writer}>
        {entity.proposed ? <WaitsBadge /> : writer && <WriterBadge by={writer} />}
      </td>
      <td className={classes.time}>
        <TimeText iso={entity.updatedAt} />
      </td>
      <td className={classes.created}>
        <TimeText iso={entity.createdAt} />
      </td>
      {onToggle && (
        <td className={classes.menu}>
          <EntityMenu entity={entity} onAction={onAction} />
        </td>
      )}
    </tr>
  )
})
