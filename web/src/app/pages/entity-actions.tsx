import type { EntityWithObservations } from '@loci/contract/entities'
import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconArrowMerge,
  IconCopy,
  IconDots,
  IconHistory,
  IconPencil,
  IconShare2,
  IconTag,
  IconTopologyStar,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { momentADayAgo } from '../../lib/as-of.ts'
import { useCopy } from '../../lib/use-copy.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './entity-page.module.css'

type ActionsProps = {
  entity: EntityWithObservations
  isReadOnly: boolean
  isPast: boolean
  refreshing: boolean
  onRefresh: () => void
  onEdit: () => void
  onMerge: () => void
  onAlias: () => void
  onDelete: () => void
  /** Absent for people who may not share, and in the past. */
  onShare: (() => void) | undefined
}

/** Actions on a whole entity. */
export function EntityActions({ entity, isReadOnly, isPast, refreshing, ...on }: ActionsProps) {
  const { copy } = useCopy(entity.id)
  return (
    <div className={classes.actions}>
      <RefreshButton loading={refreshing} onClick={on.onRefresh} />
      {!isReadOnly && (
        <Button variant="default" leftSection={<IconPencil size={16} />} onClick={on.onEdit}>
          Edit
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconTopologyStar size={16} />}
            renderRoot={(props) => (
              <Link {...props} to="/graph" search={{ selected: entity.id, expanded: entity.id }} />
            )}
          >
            Show in Graph
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={copy}>
            Copy ID
          </Menu.Item>
          {on.onShare && (
            <Menu.Item leftSection={<IconShare2 size={16} />} onClick={on.onShare}>
              Share...
            </Menu.Item>
          )}
          {!isPast && (
            <Menu.Item
              leftSection={<IconHistory size={16} />}
              renderRoot={(props) => (
                <Link {...props} to="." search={(was) => ({ ...was, asOf: momentADayAgo() })} />
              )}
            >
              Earlier State
            </Menu.Item>
          )}
          {!isReadOnly && (
            <>
              <Menu.Item leftSection={<IconTag size={16} />} onClick={on.onAlias}>
                Add Alias
              </Menu.Item>
              <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={on.onMerge}>
                Merge...
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item color="var(--loci-bad)" leftSection={<IconTrash size={16} />} onClick={on.onDelete}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
