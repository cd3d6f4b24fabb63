import { regionNameMax } from '@loci/contract/views'
import type { GraphRegion, GraphView } from '@loci/graph/types'
import { useEffect } from 'react'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { useSharedMap } from './map.queries.ts'
import { useNameRegion } from './views.queries.ts'

type RegionDialogProps = {
  drawing: GraphView | undefined
  /** The region to name. */
  region: GraphRegion | undefined
  onClose: () => void
}

/** Applies the names that people gave to regions, and asks for new ones. */
export function RegionDialog({ drawing, region, onClose }: RegionDialogProps) {
  const names = useSharedMap().data?.names
  const rename = useNameRegion()
  useEffect(() => {
    if (names) drawing?.setRegionNames(names)
  }, [drawing, names])

  const named = region && namedIn(drawing, region, names)
  return (
    <NameDialog
      opened={region !== undefined && !region.loose}
      title="Rename region"
      label="Name"
      description="Everyone in the account sees it. Without a name, the region is named after its most connected node."
      name={named ? region?.name : ''}
      action="Save"
      maxLength={regionNameMax}
      mayBeEmpty={named !== undefined}
      onSubmit={async (name) => {
        if (region) await rename.mutateAsync({ entityId: named ?? region.id, name })
      }}
      onClose={onClose}
    />
  )
}

/** The node that holds the region's custom name. */
function namedIn(
  drawing: GraphView | undefined,
  region: GraphRegion,
  names: Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (!region.named || !names || !drawing) return undefined
  return drawing.regionNodes(region.id).find((id) => names[id] === region.name)
}
