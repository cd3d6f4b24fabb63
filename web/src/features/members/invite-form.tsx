import type { NewInvitation } from '@loci/contract/members'
import type { Role } from '@loci/contract/rights'
import { Alert, Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../lib/errors.ts'
import { useMay } from '../../lib/rights.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useInvite } from './members.queries.ts'
import { roles } from './roles.ts'

export function InviteForm() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [made, setMade] = useState<NewInvitation>()
  const mayMakeOwners = useMay('account:manage')
  const invite = useInvite()
  const problem = invite.error && fieldErrorsOf(invite.error).email

  function submit(event: FormEvent) {
    event.preventDefault()
    setMade(undefined)
    invite.mutate(
      { email, role },
      {
        onSuccess: (invitation) => {
          setMade(invitation)
          setEmail('')
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" p="md" style={{ borderTop: '1px solid var(--loci-line)' }}>
        {invite.error && !problem && (
          <ErrorAlert message={messageOf(invite.error, 'The invitation could not be made')} />
        )}
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Email Address"
            type="email"
            autoComplete="off"
            value={email}
            error={problem}
            onChange={(event) => setEmail(event.currentTarget.value)}
            flex={1}
            miw={200}
          />
          <NativeSelect
            label="Role"
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as Role)}
            data={roles.filter(({ value }) => mayMakeOwners || value !== 'owner')}
          />
          <Button
            type="submit"
            mt={{ base: 0, xs: 25 }}
            w={{ base: '100%', xs: 'auto' }}
            loading={invite.isPending}
            disabled={email.trim() === ''}
          >
            Invite
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          {roles.find(({ value }) => value === role)?.may}.
        </Text>
        {made && <NewLink {...made} />}
      </Stack>
    </form>
  )
}

/** The link is shown once; nobody can read it again. */
function NewLink({ invitation, url, mailed }: NewInvitation) {
  return (
    <Alert color="green" role="status" title={`${invitation.email} is invited`}>
      <Text size="sm" mb="xs">
        {mailed
          ? 'The link was mailed. You can also hand it over yourself; it is shown only now.'
          : 'This server sends no mail: hand the link over yourself. It is shown only now.'}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {url}
        </Code>
        <CopyButton value={url} label="Copy the link" />
      </Group>
    </Alert>
  )
}
