import type { User } from '@loci/contract/auth'
import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { sendsMail } from '../../lib/server-facts.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useConfirmation, useSendVerification, useUpdateProfile } from './settings.queries.ts'

export function ProfileForm({ user }: { user: User }) {
  const [firstName, setFirstName] = useState(user.firstName)
  const [lastName, setLastName] = useState(user.lastName)
  const update = useUpdateProfile()
  const blank = firstName.trim() === '' || lastName.trim() === ''
  const unchanged = firstName === user.firstName && lastName === user.lastName
  useUnsaved(!unchanged, update.isPending)

  function submit(event: FormEvent) {
    event.preventDefault()
    update.mutate({ firstName, lastName }, { onSuccess: () => notifySuccess('Profile updated') })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {update.error && <ErrorAlert message={messageOf(update.error, 'Failed to update profile')} />}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="First Name"
            maxLength={128}
            value={firstName}
            onChange={(event) => setFirstName(event.currentTarget.value)}
          />
          <TextInput
            label="Last Name"
            maxLength={128}
            value={lastName}
            onChange={(event) => setLastName(event.currentTarget.value)}
          />
        </SimpleGrid>
        <TextInput label="Email Address" value={user.email} readOnly variant="filled" />
        {sendsMail && !user.emailVerified && <Unconfirmed />}
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending} disabled={blank || unchanged}>
            Save Profile
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The user has not yet confirmed the address with the link sent there. */
function Unconfirmed() {
  const send = useSendVerification()
  useConfirmation()
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed">
        Not confirmed yet: open the link in the email we sent.
      </Text>
      <Button
        variant="default"
        size="compact-xs"
        loading={send.isPending}
        onClick={() =>
          send.mutate(undefined, {
            onSuccess: () => notifySuccess('The link is on its way'),
            onError: (error) => notifyError('The link could not be sent', messageOf(error, '')),
          })
        }
      >
        Send it again
      </Button>
    </Group>
  )
}
