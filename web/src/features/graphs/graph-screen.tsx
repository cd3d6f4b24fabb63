import type { GraphEntity } from '@loci/contract/graph'
import { Card } from '@mantine/core'
import { IconAffiliate } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import type { GraphAddress } from './graph-address.ts'
import classes from './graph-screen.module.css'
import { type GraphNavigation, GraphWorkspace } from './graph-workspace.tsx'
import { useGraph } from './graphs.queries.ts'
import { useFromGraph } from './use-from-graph.ts'

type GraphScreenProps = {
  address: GraphAddress
  navigate: GraphNavigation
  onEdit: (entity: GraphEntity) => void
}

export function GraphScreen({ address, navigate, onEdit }: GraphScreenProps) {
  const { data, error, refetch } = useGraph(address.limit, address.depth)
  const isEmpty = useFromGraph(data, ({ entityCount }) => entityCount === 0)
  return (
    <>
      {error && <ErrorAlert message="Failed to load graph data" onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card className={classes.ground}>
          <LoadingText>Loading graph data...</LoadingText>
        </Card>
      )}
      {isEmpty && (
        <Card className={classes.ground}>
          <EmptyState
            icon={<IconAffiliate size={20} />}
            title="No graph data to display"
            text="What your agents remember appears here as they write it."
          />
        </Card>
      )}
      {data && !isEmpty && (
        <GraphWorkspace graph={data} address={address} navigate={navigate} onEdit={onEdit} />
      )}
    </>
  )
}
