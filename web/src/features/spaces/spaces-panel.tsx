import type { Space } from '@loci/contract/spaces'
import { Badge, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { countOf } from '../../lib/format.ts'
import { useMay } from '../../lib/rights.ts'
import { useScope } from '../../lib/scope.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { type SpaceDialogName, SpaceDialogs } from './space-dialogs.tsx'
import classes from './spaces-panel.module.css'
import { useSwitchSpace } from './use-switch-space.ts'

/** The memories of the account, to open, name and delete. */
export function SpacesPanel() {
  const query = useSpaces()
  const mayWrite = useMay('memory:write')
  const dialog = useDialog<SpaceDialogName, Space>()
  return (
    <Section
      title="Spaces"
      description="Memories of their own. Nothing in one is seen from another."
      aside={
        mayWrite && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => dialog.open('create')}
          >
            Create Space
          </Button>
        )
      }
      flush
    >
      <Loaded
        query={query}
        failure="Failed to load the spaces"
        waiting={<LoadingText>Loading the spaces...</LoadingText>}
      >
        {(spaces) => (
          <ul>
            {spaces.map((space) => (
              <SpaceRow key={space.id} space={space} spaces={spaces} onDialog={dialog.open} />
            ))}
          </ul>
        )}
      </Loaded>
      <SpaceDialogs dialog={dialog} />
    </Section>
  )
}

type SpaceRowProps = {
  space: Space
  spaces: readonly Space[]
  onDialog: (name: SpaceDialogName, space: Space) => void
}

function SpaceRow({ space, spaces, onDialog }: SpaceRowProps) {
  const mayWrite = useMay('memory:write')
  const ownsAccount = useMay('account:manage')
  const switchTo = useSwitchSpace()
  const isCurrent = spaceOf(spaces, useScope().space)?.id === space.id
  return (
    <li className={`${rows.row} ${classes.space}`}>
      <div className={rows.main}>
        <div className={rows.name} title={space.name}>
          <bdi>{space.name}</bdi>
        </div>
        <div className={classes.counts}>
          {countOf(space.entities, 'entity', 'entities')},{' '}
          {countOf(space.observations, 'observation', 'observations')},{' '}
          {countOf(space.relations, 'relation', 'relations')}
        </div>
      </div>
      {isCurrent ? (
        <Badge color="green">Open now</Badge>
      ) : (
        <Button variant="default" size="xs" onClick={() => switchTo(space, spaces)}>
          Open
        </Button>
      )}
      {mayWrite && (
        <Button variant="default" size="xs" onClick={() => onDialog('rename', space)}>
          Rename
        </Button>
      )}
      {ownsAccount && spaces.length > 1 && (
        <Button variant="default" size="xs" c="var(--loci-bad)" onClick={() => onDialog('delete', space)}>
          Delete
        </Button>
      )}
    </li>
  )
}
