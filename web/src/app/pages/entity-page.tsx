import { VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEntity } from '../../features/entities/entities.queries.ts'
import { EditEntityDialog } from '../../features/entities/entity-form-dialog.tsx'
import { isApiError } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { BackButton } from './back-button.tsx'
import classes from './entity-page.module.css'
import { EntityView } from './entity-view.tsx'

const route = getRouteApi('/app/entities/$entityId')

export function EntityPage() {
  const { entityId } = route.useParams()
  // Another entity starts with a fresh page: its own selection, its own forms.
  return <EntityScreen key={entityId} entityId={entityId} />
}

function EntityScreen({ entityId }: { entityId: string }) {
  const { data, error, refetch, isFetching } = useEntity(entityId)
  const { open, close, isOpen } = useDialog<'edit', undefined>()
  const refresh = () => void refetch()
  const missing = isApiError(error, 'entity_not_found')
  return (
    <>
      {data && !missing ? (
        <EntityView
          entity={data.entity}
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
          <VisuallyHidden component="h1">Entity</VisuallyHidden>
          {!error && <LoadingText>Loading entity data...</LoadingText>}
          {error && (
            <ErrorAlert
              message={missing ? 'Entity not found' : 'Failed to load entity data'}
              onRetry={missing ? undefined : refresh}
            />
          )}
        </div>
      )}
      {/* Here, so that what is typed outlives what happens to the page. */}
      <EditEntityDialog opened={isOpen('edit')} entityId={entityId} onClose={close} />
    </>
  )
}
