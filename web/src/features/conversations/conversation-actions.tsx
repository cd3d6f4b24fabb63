import type { Conversation } from '@loci/contract/conversations'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEraser, IconTrash } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { type Removal, useRemoveConversation } from './conversations.queries.ts'

type ActionsProps = { conversation: Conversation; onRemoved: () => void }

/** Copies the link to a conversation, deletes or erases it. */
export function ConversationActions({ conversation, onRemoved }: ActionsProps) {
  const mayWrite = useMay('conversations:write')
  const { open, close, isOpen } = useDialog<Removal, undefined>()
  const remove = useRemoveConversation(conversation.id)
  const confirm = (how: Removal) =>
    remove.mutate(how, {
      onSuccess: () => {
        notifySuccess(how === 'erase' ? 'Conversation erased' : 'Conversation deleted')
        onRemoved()
      },
      onError: (error) => notifyError('The conversation could not be deleted', messageOf(error, '')),
    })
  return (
    <>
      <CopyButton value={window.location.href} label="Copy link" />
      {mayWrite && (
        <Menu width={220}>
          <Menu.Target>
            <ActionIcon variant="default" size={28} aria-label="More about this conversation">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => open('delete')}>
              Delete conversation
            </Menu.Item>
            <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => open('erase')}>
              Erase for good
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {(['delete', 'erase'] as const).map((how) => (
        <ConfirmDialog
          key={how}
          opened={isOpen(how)}
          title={how === 'erase' ? 'Erase this conversation for good?' : 'Delete this conversation?'}
          confirmLabel={how === 'erase' ? 'Erase' : 'Delete'}
          pending={remove.isPending}
          onConfirm={() => confirm(how)}
          onClose={close}
        >
          {textOf(how, conversation)}
        </ConfirmDialog>
      ))}
    </>
  )
}

function textOf(how: Removal, { turns, facts }: Conversation): string {
  const kept =
    facts === 0
      ? ''
      : ` The ${facts === 1 ? 'fact' : `${facts} facts`} it led to ${facts === 1 ? 'stays' : 'stay'} in the memory.`
  const all = countOf(turns, 'turn goes', 'turns go')
  return how === 'erase'
    ? `${all} from the database and from its files, so that nothing of them can be recovered. This cannot be undone.${kept}`
    : `${all}. This cannot be undone.${kept}`
}
