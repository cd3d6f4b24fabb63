import type { GraphView } from '@loci/graph/types'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { Tool } from './graph-toolbar.tsx'
import classes from './zoom-buttons.module.css'

const step = 1.4

export function ZoomButtons({ drawing }: { drawing: GraphView | undefined }) {
  const disabled = drawing === undefined
  return (
    <div className={classes.buttons}>
      <Tool label="Zoom in" disabled={disabled} onClick={() => drawing?.zoomBy(step)}>
        <IconPlus size={16} />
      </Tool>
      <Tool label="Zoom out" disabled={disabled} onClick={() => drawing?.zoomBy(1 / step)}>
        <IconMinus size={16} />
      </Tool>
      <Tool label="Reset zoom" disabled={disabled} onClick={() => drawing?.resetZoom()}>
        <IconFocusCentered size={16} />
      </Tool>
    </div>
  )
}
