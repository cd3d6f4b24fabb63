import { VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEntity } from '../../features/entities/entities.queries.ts'
import { isApiError } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { BackButton } from './back-button.tsx'
import classes from './entity-page.module.css'
import { EntityView } from './entity-view.tsx'

const route = getRouteApi('/app/entities/$entityId')

export function EntityPage() {
  const { entityId } = route.useParams()
  const { data, error, refetch, isFetching } = useEntity(entityId)
  if (data && !error) {
    // Another entity starts with a fresh page: its own selection, its own forms.
    return (
      <EntityView
        key={entityId}
        entity={data.entity}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
      />
    )
  }
  return (
    <div className={classes.page}>
      <div>
        <BackButton />
      </div>
      <VisuallyHidden component="h1">Entity</VisuallyHidden>
      {error ? (
        <ErrorAlert
          message={isApiError(error, 'entity_not_found') ? 'Entity not found' : 'Failed to load entity data'}
          onRetry={isApiError(error, 'entity_not_found') ? undefined : () => void refetch()}
        />
      ) : (
        <LoadingText>Loading entity data...</LoadingText>
      )}
    </div>
  )
}
