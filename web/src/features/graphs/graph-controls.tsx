import { ActionIcon, Button, Select, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type FormEvent, memo, useEffect, useState } from 'react'
import { depthMax, limitMax } from './graph-address.ts'
import classes from './graph-controls.module.css'
import { limitOptions } from './limit-options.ts'

const depths = Array.from({ length: depthMax }, (_, index) => String(index + 1))

/** Mounted only when open; otherwise hidden options cost layout. */
const optionsWhenOpen = { keepMounted: false }

export type GraphExtent = { limit: number; depth: number }
type GraphControlsProps = GraphExtent & {
  loading: boolean
  onApply: (extent: GraphExtent) => void
  onRefresh: () => void
}

/** Sets how much of the graph is shown. */
export const GraphControls = memo(function GraphControls({
  limit,
  depth,
  loading,
  onApply,
  onRefresh,
}: GraphControlsProps) {
  const [chosen, setChosen] = useState({ limit, depth })
  useEffect(() => setChosen({ limit, depth }), [limit, depth])

  function submit(event: FormEvent) {
    event.preventDefault()
    onApply(chosen)
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <Select
        label="Limit"
        className={classes.field}
        size="xs"
        allowDeselect={false}
        comboboxProps={optionsWhenOpen}
        data={limitOptions(limit)}
        value={String(chosen.limit)}
        onChange={(value) => setChosen({ ...chosen, limit: Number(value ?? limitMax) })}
      />
      <Select
        label="Depth"
        className={classes.depth}
        size="xs"
        allowDeselect={false}
        comboboxProps={optionsWhenOpen}
        data={depths}
        value={String(chosen.depth)}
        onChange={(value) => setChosen({ ...chosen, depth: Number(value) })}
      />
      <Button type="submit" variant="default" size="xs">
        Apply
      </Button>
      <Tooltip label="Refresh">
        <ActionIcon
          variant="default"
          size={30}
          className={classes.refresh}
          aria-label="Refresh"
          loading={loading}
          onClick={onRefresh}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      </Tooltip>
    </form>
  )
})
