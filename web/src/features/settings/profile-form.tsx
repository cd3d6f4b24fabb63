import type { User } from '@loci/contract/auth'
import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useUpdateProfile } from './settings.queries.ts'

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
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending} disabled={blank || unchanged}>
            Save Profile
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
