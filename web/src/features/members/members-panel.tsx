import type { Invitation, Member } from '@loci/contract/members'
import type { Role } from '@loci/contract/rights'
import { Badge, Button, NativeSelect, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { InviteForm } from './invite-form.tsx'
import classes from './members.module.css'
import { useMembers, useRemoveMember, useSetRole, useTakeBack } from './members.queries.ts'
import { labelOfRole, roles } from './roles.ts'

/** The account's members and invitations, and the form to invite others. */
export function MembersPanel() {
  const { data, error, refetch } = useMembers()
  const manages = useMay('members:manage')
  if (error)
    return <ErrorAlert message={messageOf(error, 'Failed to load members')} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div className={rows.row}>
        <Skeleton height={18} />
      </div>
    )
  const owners = data.members.filter(({ role }) => role === 'owner').length
  return (
    <>
      <ul className={classes.list}>
        {data.members.map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            isLastOwner={member.role === 'owner' && owners === 1}
          />
        ))}
        {data.invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {manages && <InviteForm />}
    </>
  )
}

function MemberRow({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const user = useUser()
  const manages = useMay('members:manage')
  const ownsAccount = useMay('account:manage')
  const setRole = useSetRole()
  const name = `${member.firstName} ${member.lastName}`
  const isSelf = member.userId === user?.id
  const decides = manages && !isLastOwner && (ownsAccount || member.role !== 'owner')

  function change(role: Role) {
    setRole.mutate(
      { userId: member.userId, role },
      {
        onSuccess: () => notifySuccess(`${name} is now ${labelOfRole(role)}`),
        onError: (error) => notifyError('Failed to change the role', messageOf(error, '')),
      },
    )
  }

  const hasTools = decides || (isSelf && !isLastOwner)
  return (
    <li className={hasTools ? `${rows.row} ${classes.managed}` : rows.row}>
      <div className={rows.main}>
        <div className={rows.name}>{name}</div>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <span className={classes.mail}>{member.email}</span>
          <span className={classes.apart}> · </span>joined <TimeText iso={member.joinedAt} inline />
          {member.secondFactor !== undefined && ` · ${member.secondFactor ? 'has a' : 'no'} second factor`}
        </Text>
      </div>
      {decides ? (
        <NativeSelect
          size="xs"
          aria-label={`Role of ${name}`}
          value={member.role}
          disabled={setRole.isPending}
          onChange={(event) => change(event.currentTarget.value as Role)}
          data={roles.filter(({ value }) => ownsAccount || value !== 'owner')}
        />
      ) : (
        <Badge color="gray">{labelOfRole(member.role)}</Badge>
      )}
      {!isLastOwner && (isSelf || decides) && <RemoveButton member={member} name={name} isSelf={isSelf} />}
    </li>
  )
}

function RemoveButton({ member, name, isSelf }: { member: Member; name: string; isSelf: boolean }) {
  const [asks, setAsks] = useState(false)
  const remove = useRemoveMember()

  function confirm() {
    remove.mutate(member.userId, {
      onSuccess: () => {
        if (isSelf) return window.location.assign('/dashboard')
        setAsks(false)
        notifySuccess(`${name} is no longer a member`)
      },
      onError: (error) => notifyError('Failed to remove the member', messageOf(error, '')),
    })
  }

  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsks(true)}>
        {isSelf ? 'Leave' : 'Remove'}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={isSelf ? 'Leave this account?' : `Remove ${name}?`}
        confirmLabel={isSelf ? 'Leave' : 'Remove'}
        pending={remove.isPending}
        onConfirm={confirm}
        onClose={() => setAsks(false)}
      >
        {isSelf
          ? 'You will no longer reach this memory, and the keys that you made here stop working. What you wrote stays.'
          : `${name} will no longer reach this memory, and the keys that they made here stop working. What they wrote stays.`}
      </ConfirmDialog>
    </>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const takeBack = useTakeBack()
  return (
    <li className={`${rows.row} ${classes.managed}`}>
      <div className={rows.main}>
        <div className={rows.name}>{invitation.email}</div>
        <Text size="xs" c="dimmed">
          Invited as {labelOfRole(invitation.role)} <TimeText iso={invitation.createdAt} inline />
        </Text>
      </div>
      <Badge color="yellow">Invited</Badge>
      <Button
        variant="default"
        size="xs"
        loading={takeBack.isPending}
        onClick={() =>
          takeBack.mutate(invitation.id, {
            onError: (error) => notifyError('Failed to take the invitation back', messageOf(error, '')),
          })
        }
      >
        Take back
      </Button>
    </li>
  )
}
