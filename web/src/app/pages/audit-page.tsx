import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useAudit, useAuditExport } from '../../features/audit/audit.queries.ts'
import { AuditFilters } from '../../features/audit/audit-filters.tsx'
import { AuditList } from '../../features/audit/audit-list.tsx'
import { categories } from '../../features/audit/audit-words.ts'
import { useMembers } from '../../features/members/members.queries.ts'
import { messageOf } from '../../lib/errors.ts'
import type { AuditFilter } from '../../lib/filters.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NotPermitted } from '../../ui/not-permitted.tsx'
import { Page } from '../../ui/page.tsx'

const route = getRouteApi('/app/audit')

export function AuditPage() {
  if (useMay('members:manage')) return <AuditOfAccount />
  return <NotPermitted title="Audit Log" text="Only owners and admins of this account see its audit log." />
}

function AuditOfAccount() {
  const { category, ...search } = route.useSearch()
  const navigate = useNavigate({ from: '/audit' })
  const filter: AuditFilter = {
    ...search,
    category: categories.find(({ value }) => value === category)?.value,
  }
  const audit = useAudit(filter)
  const save = useAuditExport(filter)
  const people = useMembers().data?.members ?? []
  const days = audit.data?.pages[0]?.keptDays
  return (
    <Page
      title="Audit Log"
      subtitle="What was done in this account, and by whom."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={save.isPending}
          onClick={() =>
            save.mutate(undefined, {
              onError: (error) => notifyError('The export was interrupted', messageOf(error, '')),
            })
          }
        >
          Export as CSV
        </Button>
      }
    >
      <AuditFilters
        filter={filter}
        people={people.map(({ userId: id, firstName, lastName }) => ({
          id,
          name: `${firstName} ${lastName}`,
        }))}
        onChange={(next) => void navigate({ search: next })}
      />
      <AuditList audit={audit} none={<NoEvents />} />
      {days !== undefined && (
        <Text size="xs" c="dimmed">
          Events are kept for {days === 1 ? 'a day' : `${days} days`}.
        </Text>
      )}
    </Page>
  )
}

function NoEvents() {
  return (
    <EmptyState
      title="No events match these filters"
      text="Remove a filter to see more."
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/audit" search={{}} />}>
          Clear Filters
        </Button>
      }
    />
  )
}
