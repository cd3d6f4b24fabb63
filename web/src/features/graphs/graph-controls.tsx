import { Button, Card, Select } from '@mantine/core'
import { type FormEvent, memo, useEffect, useState } from 'react'
import { depthMax } from './graph-address.ts'
import classes from './graph-controls.module.css'

const limits = ['100', '250', '500']
const depths = Array.from({ length: depthMax }, (_, index) => String(index + 1))

/** Or they would be laid out with the page, unseen. */
const optionsWhenOpen = { keepMounted: false }

export type GraphExtent = { limit: number; depth: number }
type GraphControlsProps = GraphExtent & { onApply: (extent: GraphExtent) => void }

/** How much of the graph is shown. */
export const GraphControls = memo(function GraphControls({ limit, depth, onApply }: GraphControlsProps) {
  const [chosen, setChosen] = useState({ limit, depth })
  useEffect(() => setChosen({ limit, depth }), [limit, depth])

  function submit(event: FormEvent) {
    event.preventDefault()
    onApply(chosen)
  }

  const asked = String(limit)
  return (
    <Card padding="sm">
      <form className={classes.form} onSubmit={submit}>
        <Select
          label="Limit"
          className={classes.field}
          allowDeselect={false}
          comboboxProps={optionsWhenOpen}
          // The address may ask for any number.
          data={limits.includes(asked) ? limits : [...limits, asked]}
          value={String(chosen.limit)}
          onChange={(value) => setChosen({ ...chosen, limit: Number(value) })}
        />
        <Select
          label="Depth"
          className={classes.field}
          allowDeselect={false}
          comboboxProps={optionsWhenOpen}
          data={depths}
          value={String(chosen.depth)}
          onChange={(value) => setChosen({ ...chosen, depth: Number(value) })}
        />
        <Button type="submit" variant="default">
          Apply
        </Button>
      </form>
    </Card>
  )
})
