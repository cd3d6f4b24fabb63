import type { GraphEntity } from '@loci/contract/graph'
import { Card } from '@mantine/core'
import { IconAffiliate } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import type { GraphAddress } from './graph-address.ts'
import classes from './graph-screen.module.css'
import { type GraphChange, GraphWorkspace } from './graph-workspace.tsx'
import { useGraph } from './graphs.queries.ts'

type GraphScreenProps = {
  address: GraphAddress
  onChange: GraphChange
  onEdit: (entity: GraphEntity) => void
}

export function GraphScreen({ address, onChange, onEdit }: GraphScreenProps) {
  const { data, error, refetch } = useGraph(address.limit, address.depth)
  return (
    <>
      {error && <ErrorAlert message="Failed to load graph data" onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card className={classes.ground}>
          <LoadingText>Loading graph data...</LoadingText>
        </Card>
      )}
      {data?.entities.length === 0 && (
        <Card className={classes.ground}>
          <EmptyState
            icon={<IconAffiliate size={20} />}
            title="No graph data to display"
            text="What your agents remember appears here as they write it."
          />
        </Card>
      )}
      {data && data.entities.length > 0 && (
        <GraphWorkspace base={data} address={address} onChange={onChange} onEdit={onEdit} />
      )}
    </>
  )
}
