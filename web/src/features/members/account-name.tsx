import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useUser } from '../../lib/session.ts'
import { useRenameAccount } from './members.queries.ts'

/** The account's name, for users who belong to several. */
export function AccountName() {
  const user = useUser()
  const account = user?.accounts.find(({ id }) => id === user.accountId)
  return account && <NameForm key={account.id} name={account.name} />
}

function NameForm({ name: current }: { name: string }) {
  const [name, setName] = useState(current)
  const rename = useRenameAccount()
  const wanted = name.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    rename.mutate(wanted, { onSuccess: () => notifySuccess(`This account is now called ${wanted}`) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Account name"
          description="It tells accounts apart for people who belong to several."
          value={name}
          maxLength={128}
          error={rename.error && messageOf(rename.error, 'The account could not be renamed')}
          onChange={(event) => setName(event.currentTarget.value)}
          flex="1 1 240px"
        />
        <Button
          type="submit"
          variant="default"
          loading={rename.isPending}
          disabled={wanted === '' || wanted === current}
        >
          Rename
        </Button>
      </Group>
    </form>
  )
}
