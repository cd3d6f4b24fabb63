import { useScope } from '../../lib/scope.ts'
import { defaultSpaceOf, spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import type { useDialog } from '../../ui/use-dialog.ts'
import { DeleteSpaceDialog } from './delete-space-dialog.tsx'
import { SpaceFormDialog } from './space-form-dialog.tsx'
import { useSwitchSpace } from './use-switch-space.ts'

export type SpaceDialogName = 'create' | 'rename' | 'delete'

type SpaceDialogsProps = {
  dialog: Pick<ReturnType<typeof useDialog<SpaceDialogName, never>>, 'isOpen' | 'close'>
}

/** Create a space, rename or delete the current one; each shows the right space afterwards. */
export function SpaceDialogs({ dialog: { isOpen, close } }: SpaceDialogsProps) {
  const { data: spaces = [] } = useSpaces()
  const { space: named } = useScope()
  const switchTo = useSwitchSpace()
  const current = spaceOf(spaces, named)
  return (
    <>
      <SpaceFormDialog
        opened={isOpen('create')}
        space={undefined}
        onSaved={(space) => switchTo(space, [...spaces, space])}
        onClose={close}
      />
      {current && (
        <SpaceFormDialog
          opened={isOpen('rename')}
          space={current}
          onSaved={(renamed) =>
            switchTo(
              renamed,
              spaces.map((space) => (space.id === renamed.id ? renamed : space)),
            )
          }
          onClose={close}
        />
      )}
      {current && (
        <DeleteSpaceDialog
          opened={isOpen('delete')}
          space={current}
          onDeleted={() => {
            const rest = spaces.filter(({ id }) => id !== current.id)
            const next = defaultSpaceOf(rest)
            if (next) switchTo(next, rest)
          }}
          onClose={close}
        />
      )}
    </>
  )
}
