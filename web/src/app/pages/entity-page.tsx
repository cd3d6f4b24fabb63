import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useEntity } from '../../features/entities/entities.queries.ts'
import { EditEntityDialog } from '../../features/entities/entity-form-dialog.tsx'
import { EndedEntity } from '../../features/history/ended-entity.tsx'
import { isApiError } from '../../lib/errors.ts'
import { forgetRecentEntity, noteRecentEntity } from '../../lib/recent-entities.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { BackButton } from './back-button.tsx'
import classes from './entity-page.module.css'
import { EntitySkeleton } from './entity-skeleton.tsx'
import { EntityView } from './entity-view.tsx'

const route = getRouteApi('/app/entities/$entityId')

export function EntityPage() {
  const { entityId } = route.useParams()
  const { asOf } = route.useSearch()
  // Another entity gets a fresh page, with its own selection and forms.
  return <EntityScreen key={`${entityId} ${asOf ?? ''}`} entityId={entityId} asOf={asOf} />
}

function EntityScreen({ entityId, asOf }: { entityId: string; asOf: string | undefined }) {
  const { data, error, refetch, isFetching } = useEntity(entityId, asOf)
  const { open, close, isOpen } = useDialog<'edit', undefined>()
  const refresh = () => void refetch()
  const missing = isApiError(error, 'entity_not_found')
  useEffect(() => {
    if (asOf !== undefined) return
    if (missing) forgetRecentEntity(entityId)
    else if (data) noteRecentEntity(data.entity)
  }, [data, missing, entityId, asOf])
  return (
    <>
      {data && !missing ? (
        <EntityView
          entity={data.entity}
          version={data.version}
          asOf={asOf}
          problem={error && <ErrorAlert message="Failed to load entity data" onRetry={refresh} />}
          refreshing={isFetching}
          onRefresh={refresh}
          onEdit={() => open('edit')}
        />
      ) : (
        <div className={classes.page}>
          <div>
            <BackButton />
          </div>
          <h1 className="loci-unseen">Entity</h1>
          {!error && <EntitySkeleton />}
          {error && !missing && <ErrorAlert message="Failed to load entity data" onRetry={refresh} />}
          {missing && (
            <div role="alert">
              <MissingEntity isPast={asOf !== undefined} />
            </div>
          )}
          {missing && asOf === undefined && <EndedEntity entityId={entityId} />}
        </div>
      )}
      {/* Rendered here so that typed text survives changes of the page. */}
      <EditEntityDialog opened={isOpen('edit')} entityId={entityId} onClose={close} />
    </>
  )
}

const MissingEntity = ({ isPast }: { isPast: boolean }) => (
  <EmptyState
    title="Entity not found"
    text={isPast ? 'It did not exist at that time.' : 'It was deleted, or it is not in this space.'}
    action={
      <Button renderRoot={(props) => <Link {...props} to="/entities" />} variant="default">
        View all entities
      </Button>
    }
  />
)
