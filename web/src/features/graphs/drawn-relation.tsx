import type { GraphEvents, GraphNode } from '@loci/graph/types'
import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import menuClasses from './context-menu.module.css'
import classes from './drawn-relation.module.css'

type Ends = { from: GraphNode; to: GraphNode }
export type Relate = (ends: Ends, onClose: () => void) => ReactNode

type DrawnRelationProps = {
  link: GraphEvents['link'] | undefined
  relate: Relate
  onClose: () => void
}

/** Asks where a drawn line ends what it says. */
export function DrawnRelation({ link, relate, onClose }: DrawnRelationProps) {
  return (
    <Popover
      opened={link !== undefined}
      onDismiss={onClose}
      // The options of a select lie outside.
      closeOnClickOutside={false}
      position="bottom"
      offset={14}
      width={400}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <span aria-hidden className={menuClasses.point} style={{ left: link?.x ?? 0, top: link?.y ?? 0 }} />
      </Popover.Target>
      <Popover.Dropdown aria-label="New relation" className={classes.form}>
        {link && (
          <>
            <p className={classes.ends}>
              <bdi>{link.from.name}</bdi> to <bdi>{link.to.name}</bdi>
            </p>
            {relate(link, onClose)}
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
