import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { observationNodeType } from './fallback-graph.ts'
import classes from './selected-entity.module.css'

type SelectedProps = {
  node: Pick<GraphEntity, 'id' | 'name' | 'type' | 'observationsCount'>
  /** The page's own entity, which needs no link to itself. */
  isOwn: boolean
}

/** The hovered or focused neighbour. */
export function SelectedEntity({ node, isOwn }: SelectedProps) {
  const titleId = useId()
  return (
    <section className={classes.strip} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        Selected Entity
      </h2>
      <span className={classes.name} title={node.name}>
        <TypeDot type={node.type} />
        <bdi>
          <VisibleText text={node.name} />
        </bdi>
      </span>
      <span className={classes.type}>{node.type}</span>
      {!isOwn && node.type !== observationNodeType && (
        <Button
          renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId: node.id }} />}
          variant="default"
          size="xs"
        >
          View Entity
        </Button>
      )}
    </section>
  )
}
