import type { Space } from '@loci/contract/spaces'
import { useScope } from '../../lib/scope.ts'
import { defaultSpaceOf, spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import type { useDialog } from '../../ui/use-dialog.ts'
import { DeleteSpaceDialog } from './delete-space-dialog.tsx'
import { SpaceFormDialog } from './space-form-dialog.tsx'
import { useSwitchSpace } from './use-switch-space.ts'

export type SpaceDialogName = 'create' | 'rename' | 'delete'

type SpaceDialogsProps = {
  dialog: Pick<ReturnType<typeof useDialog<SpaceDialogName, Space>>, 'isOpen' | 'close' | 'subject'>
}

/** Create a space, rename or delete one, by default the current; each shows the right space afterwards. */
export function SpaceDialogs({ dialog: { isOpen, close, subject } }: SpaceDialogsProps) {
  const { data: spaces = [] } = useSpaces()
  const { space: named } = useScope()
  const switchTo = useSwitchSpace()
  const current = spaceOf(spaces, named)
  const chosen = subject ?? current
  return (
    <>
      <SpaceFormDialog
        opened={isOpen('create')}
        space={undefined}
        onSaved={(space) => switchTo(space, [...spaces, space])}
        onClose={close}
      />
      {chosen && (
        <SpaceFormDialog
          opened={isOpen('rename')}
          space={chosen}
          onSaved={(renamed) => {
            const now = spaces.map((space) => (space.id === renamed.id ? renamed : space))
            // The name `default` is also an address: whoever looks stays where they are.
            const shown = now.find(({ id }) => id === current?.id)
            if (shown) switchTo(shown, now)
          }}
          onClose={close}
        />
      )}
      {chosen && (
        <DeleteSpaceDialog
          opened={isOpen('delete')}
          space={chosen}
          onDeleted={() => {
            const rest = spaces.filter(({ id }) => id !== chosen.id)
            const next = rest.find(({ id }) => id === current?.id) ?? defaultSpaceOf(rest)
            if (next) switchTo(next, rest)
          }}
          onClose={close}
        />
      )}
    </>
  )
}
