import type { Member } from '@loci/contract/members'
import { Button, Group, Modal, NativeSelect, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useUser } from '../../lib/session.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { renewSession, useHandOver, useMembers } from './members.queries.ts'

/** Transfers ownership of the account to another member. */
export function HandOver() {
  const user = useUser()
  const { data } = useMembers()
  const [opened, setOpened] = useState(false)
  const others = data?.members.filter(({ userId }) => userId !== user?.id) ?? []
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" flex="1 1 260px">
          {others.length === 0
            ? 'Ownership can be handed over to a member. Invite somebody first.'
            : 'A member becomes the owner, with the say over people, plan and the end of the account. You become an admin.'}
        </Text>
        <Button variant="default" disabled={others.length === 0} onClick={() => setOpened(true)}>
          Hand Over Ownership
        </Button>
      </Group>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Hand Over Ownership">
        <HandOverForm members={others} onClose={() => setOpened(false)} />
      </Modal>
    </>
  )
}

type FormProps = { members: readonly Member[]; onClose: () => void }

const nameOf = ({ firstName, lastName }: Member) => `${firstName} ${lastName}`

function HandOverForm({ members, onClose }: FormProps) {
  const [userId, setUserId] = useState('')
  const [password, setPassword] = useState('')
  const handOver = useHandOver()

  function submit(event: FormEvent) {
    event.preventDefault()
    handOver.mutate(
      { userId, password },
      {
        onSuccess: ({ member, billingFollows }) => {
          notifySuccess(`${nameOf(member)} is the owner now`)
          if (!billingFollows)
            notifyError(
              'Stripe still writes to the owner before',
              'It could not be reached. Change the email address in its customer portal, on the billing page.',
            )
          onClose()
          // The user is an admin from now on; admins do not see this form.
          void renewSession()
        },
      },
    )
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">This takes effect at once. Only the new owner can hand it back.</Text>
        {handOver.error && (
          <ErrorAlert message={messageOf(handOver.error, 'The ownership could not be handed over')} />
        )}
        <NativeSelect
          label="New owner"
          data-autofocus
          value={userId}
          onChange={(event) => setUserId(event.currentTarget.value)}
          data={[
            { value: '', label: 'Choose a member' },
            ...members.map((member) => ({
              value: member.userId,
              label: `${nameOf(member)} (${member.email})`,
            })),
          ]}
        />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={handOver.isPending} disabled={userId === '' || password === ''}>
            Hand Over
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
