import type { SavedView } from '@loci/contract/views'
import type { GraphView } from '@loci/graph/types'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import {
  type Icon,
  IconBookmark,
  IconDeviceFloppy,
  IconLink,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, offerUndo } from '../../lib/notify.tsx'
import { useCopy } from '../../lib/use-copy.ts'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { toNewView, useViewChanges, useViews } from './views.queries.ts'
import classes from './views-menu.module.css'

type ViewsMenuProps = {
  drawing: GraphView | undefined
  /** The current view's query string. */
  search: string
  mayWrite: boolean
  onOpen: (view: SavedView) => void
}

/** Saved views of the graph: open, save, replace, delete; and a link to the current view. */
export function ViewsMenu({ drawing, search, mayWrite, onOpen }: ViewsMenuProps) {
  const { data: views = [] } = useViews()
  const { save, change, remove } = useViewChanges()
  const [opened, setOpened] = useState(false)
  const [naming, setNaming] = useState(false)
  const [renaming, setRenaming] = useState<SavedView>()
  const { copy } = useCopy(window.location.href)

  const shown = () => ({
    search,
    ...(drawing && { camera: drawing.camera(), pins: toPins(drawing) }),
  })
  const create = (name: string) => save.mutateAsync({ name, ...shown() })
  const rename = (name: string) => change.mutateAsync({ id: renaming!.id, body: { name } })
  function replaceView(view: SavedView) {
    const { name: _, ...before } = toNewView(view)
    change.mutate(
      { id: view.id, body: shown() },
      {
        onSuccess: () =>
          offerUndo(`View ${view.name} replaced`, () => change.mutate({ id: view.id, body: before })),
        onError: (error) => notifyError('Failed to save the view', messageOf(error, '')),
      },
    )
  }
  function deleteView(view: SavedView) {
    remove.mutate(view.id, {
      onSuccess: () => offerUndo('View deleted', () => save.mutate(toNewView(view))),
      onError: (error) => notifyError('Failed to delete the view', messageOf(error, '')),
    })
  }

  return (
    <>
      <Menu width={300} position="bottom-start" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Tooltip label="Views">
            <ActionIcon size={28} aria-label="Views">
              <IconBookmark size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{views.length === 0 ? 'No saved views yet' : 'Saved views'}</Menu.Label>
          <div className={classes.views}>
            {views.map((view) => (
              <div key={view.id} className={classes.row}>
                <Menu.Item
                  className={classes.view}
                  classNames={{ itemLabel: classes.label }}
                  onClick={() => onOpen(view)}
                >
                  <bdi title={view.name}>{view.name}</bdi>
                </Menu.Item>
                {mayWrite && (
                  <div className={classes.tools}>
                    <ViewTool
                      icon={IconDeviceFloppy}
                      label="Update to the current view"
                      name={view.name}
                      onClick={() => replaceView(view)}
                    />
                    <ViewTool
                      icon={IconPencil}
                      label="Rename"
                      name={view.name}
                      onClick={() => {
                        // An open menu would take the focus out of the dialog.
                        setOpened(false)
                        setRenaming(view)
                      }}
                    />
                    <ViewTool
                      icon={IconTrash}
                      label="Delete"
                      name={view.name}
                      onClick={() => deleteView(view)}
                    />
                  </div>
                )}
              </div>
            ))}
          </div>
          <Menu.Divider />
          {mayWrite && (
            <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setNaming(true)}>
              Save this view
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLink size={16} />} onClick={copy}>
            Copy link
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        opened={naming}
        title="Save view"
        label="Name"
        action="Save"
        maxLength={128}
        onSubmit={create}
        onClose={() => setNaming(false)}
      />
      <NameDialog
        opened={renaming !== undefined}
        title="Rename view"
        label="Name"
        name={renaming?.name ?? ''}
        action="Rename"
        maxLength={128}
        onSubmit={rename}
        onClose={() => setRenaming(undefined)}
      />
    </>
  )
}

type ViewToolProps = { icon: Icon; label: string; name: string; onClick: () => void }

const ViewTool = ({ icon: ToolIcon, label, name, onClick }: ViewToolProps) => (
  <ActionIcon size={26} title={label} aria-label={`${label}: ${name}`} onClick={onClick}>
    <ToolIcon size={14} />
  </ActionIcon>
)

function toPins(drawing: GraphView): Record<string, [number, number]> {
  return Object.fromEntries(
    Object.entries(drawing.pins())
      .slice(0, 500)
      .map(([id, [x, y]]) => [id, [x, y]]),
  )
}
