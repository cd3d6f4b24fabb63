import type { Entity } from '@loci/contract/entities'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMayWrite } from '../../lib/rights.ts'

export type EntityAction = 'view' | 'edit' | 'delete'

type EntityMenuProps = { entity: Entity; onAction: (action: EntityAction, entity: Entity) => void }

/** Actions on one listed entity, limited to the user's rights. */
export function EntityMenu({ entity, onAction }: EntityMenuProps) {
  const mayWrite = useMayWrite()
  return (
    <Menu width={180}>
      <Menu.Target>
        <ActionIcon aria-label="Entity actions">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEye size={16} />} onClick={() => onAction('view', entity)}>
          View Details
        </Menu.Item>
        {mayWrite && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAction('edit', entity)}>
              Edit Entity
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              color="var(--loci-bad)"
              leftSection={<IconTrash size={16} />}
              onClick={() => onAction('delete', entity)}
            >
              Delete Entity
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
