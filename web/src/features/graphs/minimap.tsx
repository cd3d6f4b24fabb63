import type { GraphView } from '@loci/graph/types'
import { useEffect, useState } from 'react'
import classes from './minimap.module.css'

/** The whole graph in small; the engine shows it while there is a use for it. */
export function Minimap({ drawing }: { drawing: GraphView | undefined }) {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  useEffect(() => {
    drawing?.showMinimap(element)
    return () => drawing?.showMinimap(null)
  }, [drawing, element])
  return (
    <div className={classes.place}>
      <div ref={setElement} className={classes.map} />
    </div>
  )
}
