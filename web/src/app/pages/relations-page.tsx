import type { Relation } from '@loci/contract/relations'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  CreateRelationDialog,
  DeleteRelationDialog,
  EditRelationDialog,
} from '../../features/relations/relation-dialogs.tsx'
import { RelationFilters } from '../../features/relations/relation-filters.tsx'
import type { RelationAction } from '../../features/relations/relation-row.tsx'
import { RelationTable } from '../../features/relations/relation-table.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { AsOfButton } from '../../ui/as-of-button.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { Beginnings } from './beginnings.tsx'

const route = getRouteApi('/app/relations')

export function RelationsPage() {
  const { create, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/relations' })
  const client = useQueryClient()
  const { open, close, isOpen, subject } = useDialog<RelationAction | 'create', Relation>()
  const mayWrite = useMayWrite()

  // The command palette links here with the dialog to open.
  useEffect(() => {
    if (create === undefined) return
    if (mayWrite) open('create')
    void navigate({ search: ({ create: _, ...rest }) => rest, replace: true })
  }, [create, mayWrite, navigate, open])

  return (
    <Page
      title="Relation Management"
      subtitle="How entities are connected."
      actions={
        <>
          <RefreshButton onClick={() => void client.resetQueries({ queryKey: queryKeys.relations() })} />
          <AsOfButton />
          {mayWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => open('create')}>
              Create Relation
            </Button>
          )}
        </>
      }
    >
      <RelationFilters
        filter={filter}
        onChange={(next) => void navigate({ search: next, replace: next.type === filter.type })}
      />
      <RelationTable
        filter={filter}
        onAction={open}
        onCreate={() => open('create')}
        beginnings={<Beginnings />}
      />
      <CreateRelationDialog opened={isOpen('create')} onClose={close} />
      <EditRelationDialog opened={isOpen('edit')} relation={subject} onClose={close} />
      <DeleteRelationDialog opened={isOpen('delete')} relation={subject} onClose={close} />
    </Page>
  )
}
