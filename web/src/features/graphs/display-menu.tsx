import type { GraphTool, GraphView } from '@loci/graph/types'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconLasso, IconLine, IconSettings2 } from '@tabler/icons-react'
import { countOf } from '../../lib/format.ts'
import type { GraphAddress, RecentSpan } from './graph-address.ts'
import { Tool } from './graph-toolbar.tsx'

type DisplayMenuProps = {
  drawing: GraphView | undefined
  address: GraphAddress
  tool: GraphTool
  onTool: (tool: GraphTool) => void
  /** For those who may change the graph. */
  mayLink: boolean
  /** Absent for people who may not change the map. */
  onTidy: (() => void) | undefined
  onChange: (change: Partial<GraphAddress>) => void
}

const recentChoices: { label: string; value: RecentSpan | undefined }[] = [
  { label: 'No highlight', value: undefined },
  { label: 'Changed within a day', value: 'day' },
  { label: 'Changed within a week', value: 'week' },
  { label: 'Told to agents lately', value: 'told' },
  { label: 'Dust: not looked at for months', value: 'dust' },
]

/** The lasso, the pen, and the display options. */
export function DisplayMenu({ drawing, address, tool, mayLink, onTool, onTidy, onChange }: DisplayMenuProps) {
  const { hiddenNodes, recent, view } = address
  const toggle = (wanted: GraphTool) => onTool(tool === wanted ? 'pan' : wanted)
  return (
    <>
      <Tool
        label="Lasso (Shift and drag)"
        pressed={tool === 'lasso'}
        disabled={!drawing || view === 'list'}
        onClick={() => toggle('lasso')}
      >
        <IconLasso size={16} />
      </Tool>
      {mayLink && (
        <Tool
          label="Draw a relation (Alt and drag from a node)"
          pressed={tool === 'link'}
          disabled={!drawing || view !== 'graph' || address.asOf !== undefined}
          onClick={() => toggle('link')}
        >
          <IconLine size={16} />
        </Tool>
      )}
      <Menu width={250} position="bottom-start">
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
            <Menu.Label>Highlight</Menu.Label>
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
