import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { AddRelationship } from '../../features/relations/add-relationship.tsx'
import { useMayWrite } from '../../lib/rights.ts'
import classes from './node-facts.module.css'

/** Connects a node of the graph with another entity. */
export function NodeRelation({ node }: { node: GraphEntity }) {
  const [isAdding, setAdding] = useState(false)
  if (!useMayWrite()) return null
  if (isAdding) {
    return (
      <div className={classes.form} data-fills>
        <AddRelationship entity={node} onClose={() => setAdding(false)} />
      </div>
    )
  }
  return (
    <div className={classes.add}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => setAdding(true)}
      >
        Add relation
      </Button>
    </div>
  )
}
