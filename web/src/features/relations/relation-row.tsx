import { labelOfType } from '@loci/contract/lists'
import type { Relation } from '@loci/contract/relations'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowRight, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useMayWrite } from '../../lib/rights.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WaitsBadge } from '../../ui/waits-badge.tsx'
import classes from './relation-table.module.css'

export type RelationAction = 'edit' | 'delete'

type RelationRowProps = {
  relation: Relation
  rowIndex: number
  onAction: (action: RelationAction, relation: Relation) => void
}

export const RelationRow = memo(function RelationRow({ relation, rowIndex, onAction }: RelationRowProps) {
  const mayWrite = useMayWrite()
  return (
    <tr aria-rowindex={rowIndex} className={classes.row}>
      <td>
        <div className={classes.from}>
          <End id={relation.fromEntityId} {...relation.fromEntity} />
          {relation.proposed && <WaitsBadge />}
        </div>
      </td>
      <td>
        <span className={classes.kind} title={relation.type}>
          {labelOfType(relation.type)}
          <IconArrowRight size={13} aria-hidden />
        </span>
      </td>
      <td>
        <End id={relation.toEntityId} {...relation.toEntity} />
      </td>
      <td className={classes.date}>
        <TimeText iso={relation.createdAt} />
      </td>
      <td className={classes.actions}>
        {!relation.proposed && (
          <Menu width={170} disabled={!mayWrite}>
            <Menu.Target>
              <ActionIcon aria-label="Relation actions" disabled={!mayWrite}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAction('edit', relation)}>
                Edit Relation
              </Menu.Item>
              <Menu.Item
                color="var(--loci-bad)"
                leftSection={<IconTrash size={16} />}
                onClick={() => onAction('delete', relation)}
              >
                Delete Relation
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </td>
    </tr>
  )
})

function End({ id, name, type }: { id: string; name: string; type: string }) {
  return (
    <Link
      to="/entities/$entityId"
      params={{ entityId: id }}
      className={classes.end}
      title={`${name} (${type})`}
    >
      <TypeDot type={type} />
      <bdi className={classes.endName}>{name}</bdi>
    </Link>
  )
}
