import type { GraphView } from '@loci/graph/types'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconLasso, IconSettings2 } from '@tabler/icons-react'
import { countOf } from '../../lib/format.ts'
import type { GraphAddress, RecentSpan } from './graph-address.ts'
import { Tool } from './graph-toolbar.tsx'

type DisplayMenuProps = {
  drawing: GraphView | undefined
  address: GraphAddress
  lasso: boolean
  onLasso: (on: boolean) => void
  /** Absent for people who may not change the map. */
  onTidy: (() => void) | undefined
  onChange: (change: Partial<GraphAddress>) => void
}

const recentChoices: { label: string; value: RecentSpan | undefined }[] = [
  { label: 'No highlight', value: undefined },
  { label: 'Changed within a day', value: 'day' },
  { label: 'Changed within a week', value: 'week' },
]

/** The lasso and the display options. */
export function DisplayMenu({ drawing, address, lasso, onLasso, onTidy, onChange }: DisplayMenuProps) {
  const { hiddenNodes, recent } = address
  return (
    <>
      <Tool
        label="Lasso (Shift and drag)"
        pressed={lasso}
        disabled={!drawing || address.view === 'list'}
        onClick={() => onLasso(!lasso)}
      >
        <IconLasso size={16} />
      </Tool>
      <Menu width={230} position="bottom-start">
        <Menu.Target>
          <Tooltip label="Display">
            <ActionIcon size={28} aria-label="Display">
              <IconSettings2 size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={recent ?? ''}
            onChange={(value) =>
              onChange({ recent: recentChoices.find((choice) => choice.value === value)?.value })
            }
          >
            <Menu.Label>Recent</Menu.Label>
            {recentChoices.map(({ label, value }) => (
              <Menu.RadioItem key={label} value={value ?? ''}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item disabled={!drawing} onClick={() => drawing?.fit()}>
            Show the whole graph
          </Menu.Item>
          {onTidy && (
            <Menu.Item disabled={!drawing} onClick={onTidy}>
              Tidy up
            </Menu.Item>
          )}
          <Menu.Item disabled={hiddenNodes.length === 0} onClick={() => onChange({ hiddenNodes: [] })}>
            {hiddenNodes.length === 0
              ? 'No hidden nodes'
              : `Show ${countOf(hiddenNodes.length, 'hidden node', 'hidden nodes')}`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
