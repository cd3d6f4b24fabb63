import type { GraphView } from '@loci/graph/types'
import { useEffect, useState } from 'react'
import classes from './minimap.module.css'

/** An overview of the whole graph; the engine shows it when it is of use. */
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
