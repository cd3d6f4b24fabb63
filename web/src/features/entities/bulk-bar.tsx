import { CloseButton, UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconAffiliate,
  IconArrowMerge,
  IconArrowsExchange,
  IconDownload,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { toListParam } from '../../lib/search-params.ts'
import { useExportSelected } from './bulk.queries.ts'
import classes from './bulk-bar.module.css'
import { DeleteSelectedDialog, MergeSelectedDialog, RetypeSelectedDialog } from './bulk-dialogs.tsx'
import type { OtherSpace } from './move.queries.ts'
import { MoveSelectedDialog } from './move-dialog.tsx'
import type { Selection } from './use-selection.ts'

type BulkBarProps = { selection: Selection; otherSpaces: readonly OtherSpace[] }

/** Actions on all ticked entities. */
export function BulkBar({ selection, otherSpaces }: BulkBarProps) {
  const { selected, clear } = selection
  const [dialog, setDialog] = useState<'delete' | 'retype' | 'merge' | 'move'>()
  const exported = useExportSelected()
  const mayWrite = useMayWrite()
  const entities = [...selected.values()]
  const ids = entities.map(({ id }) => id)
  const dialogOf = (name: typeof dialog) => ({
    opened: dialog === name,
    entities,
    onClose: () => setDialog(undefined),
    onDone: clear,
  })
  return (
    <>
      {selected.size > 0 && (
        <section className={classes.bar} aria-label="Selected entities">
          <b className={classes.count} role="status">
            {formatNumber(selected.size)} <span className={classes.label}>selected</span>
          </b>
          {mayWrite && <Action icon={IconTag} label="Change type" onClick={() => setDialog('retype')} />}
          {mayWrite && selected.size > 1 && (
            <Action icon={IconArrowMerge} label="Merge" onClick={() => setDialog('merge')} />
          )}
          {otherSpaces.length > 0 && (
            <Action icon={IconArrowsExchange} label="Move" onClick={() => setDialog('move')} />
          )}
          <UnstyledButton
            className={classes.action}
            renderRoot={(props) => (
              <Link {...props} to="/graph" search={{ selected: ids[0], expanded: toListParam(ids) }} />
            )}
          >
            <IconAffiliate size={16} aria-hidden />
            <span className={classes.label}>Show in graph</span>
          </UnstyledButton>
          <Action icon={IconDownload} label="Export" onClick={() => exported.mutate(ids)} />
          {mayWrite && (
            <Action icon={IconTrash} label="Delete" isDanger onClick={() => setDialog('delete')} />
          )}
          <CloseButton className={classes.close} aria-label="Clear selection" onClick={clear} />
        </section>
      )}
      <DeleteSelectedDialog {...dialogOf('delete')} />
      <RetypeSelectedDialog {...dialogOf('retype')} />
      <MergeSelectedDialog {...dialogOf('merge')} />
      <MoveSelectedDialog {...dialogOf('move')} spaces={otherSpaces} />
    </>
  )
}

type ActionProps = { icon: Icon; label: string; isDanger?: boolean; onClick: () => void }

function Action({ icon: ActionIcon, label, isDanger = false, onClick }: ActionProps) {
  return (
    <UnstyledButton
      className={classes.action}
      data-danger={isDanger || undefined}
      title={label}
      onClick={onClick}
    >
      <ActionIcon size={16} aria-hidden />
      <span className={classes.label}>{label}</span>
    </UnstyledButton>
  )
}
