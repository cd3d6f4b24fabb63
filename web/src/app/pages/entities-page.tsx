import { Button } from '@mantine/core'
import { IconHeartbeat, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { DeleteEntityDialog } from '../../features/entities/delete-entity-dialog.tsx'
import { EntityFilters } from '../../features/entities/entity-filters.tsx'
import {
  CreateEntityDialog,
  EditEntityDialog,
  newEntityDraft,
} from '../../features/entities/entity-form-dialog.tsx'
import { EntityList } from '../../features/entities/entity-list.tsx'
import type { EntityAction } from '../../features/entities/entity-menu.tsx'
import { TypesDialog } from '../../features/entities/types-dialog.tsx'
import { ViewEntityDialog } from '../../features/entities/view-entity-dialog.tsx'
import { hasKeptDraft } from '../../lib/kept-drafts.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { useScope } from '../../lib/scope.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { AsOfButton } from '../../ui/as-of-button.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { Beginnings } from './beginnings.tsx'

const route = getRouteApi('/app/entities')

export function EntitiesPage() {
  const { create, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/entities' })
  const client = useQueryClient()
  const otherSpaces = useOtherSpaces()
  const dialog = useDialog<EntityAction | 'create' | 'types', { id: string; name: string }>()
  const { open, close } = dialog
  const mayWrite = useMayWrite()

  // The command palette and the dashboard link here with the dialog to open.
  useEffect(() => {
    if (create === undefined) return
    if (mayWrite) open('create')
    void navigate({ search: ({ create: _, ...rest }) => rest, replace: true })
  }, [create, mayWrite, navigate, open])

  // Back from signing in again after the session ended in the middle of the form.
  useEffect(() => {
    if (mayWrite && hasKeptDraft(newEntityDraft)) open('create')
  }, [mayWrite, open])

  const act = useCallback(
    (action: EntityAction, entity: { id: string; name: string }) => open(action, entity),
    [open],
  )

  return (
    <Page
      title="Entity Management"
      subtitle="The people, projects and things your agents remember."
      actions={
        <>
          <RefreshButton onClick={() => void client.resetQueries({ queryKey: queryKeys.entities() })} />
          {filter.asOf === undefined && (
            <Button
              variant="default"
              leftSection={<IconHeartbeat size={16} />}
              renderRoot={(props) => <Link {...props} to="/health" />}
            >
              Health
            </Button>
          )}
          <AsOfButton />
          {mayWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => open('create')}>
              Create Entity
            </Button>
          )}
        </>
      }
    >
      <EntityFilters
        filter={filter}
        onChange={(next) => void navigate({ search: next })}
        onEditTypes={mayWrite ? () => open('types') : undefined}
      />
      <EntityList
        filter={filter}
        onFilter={(next) => void navigate({ search: next, replace: true })}
        onAction={act}
        onCreate={() => open('create')}
        otherSpaces={otherSpaces}
        beginnings={<Beginnings />}
      />
      <CreateEntityDialog opened={dialog.isOpen('create')} onClose={close} />
      <EditEntityDialog opened={dialog.isOpen('edit')} entityId={dialog.subject?.id} onClose={close} />
      <ViewEntityDialog
        opened={dialog.isOpen('view')}
        entity={dialog.subject}
        onClose={close}
        onEdit={mayWrite ? () => open('edit', dialog.subject) : undefined}
      />
      <TypesDialog opened={dialog.isOpen('types')} onClose={close} />
      <DeleteEntityDialog opened={dialog.isOpen('delete')} entity={dialog.subject} onClose={close} />
    </Page>
  )
}

/** The spaces of the account except the current one. */
function useOtherSpaces() {
  const { data: spaces = [] } = useSpaces()
  const { space } = useScope()
  return spaces.filter(({ id }) => id !== spaceOf(spaces, space)?.id)
}
