import type { ShareView } from '@loci/contract/shares'
import type { GraphView } from '@loci/graph/types'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { useState } from 'react'
import type { GraphAddress } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'

/** A part of the graph to make a page of, and its name. */
export type Shareable = { view: ShareView; name: string }

type ShareMenuProps = {
  drawing: GraphView | undefined
  graph: LiveGraph
  address: GraphAddress
  onShare: (shareable: Shareable) => void
}

/** Shares what is on the screen: the path, the selected entity, its region, or the graph as of the moment shown. */
export function ShareMenu({ drawing, graph, address, onShare }: ShareMenuProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Menu width={260} position="bottom-start" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Tooltip label="Share">
          <ActionIcon size={28} aria-label="Share">
            <IconShare2 size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Share as a read-only page</Menu.Label>
        {opened &&
          listShareables(drawing, graph, address).map((shareable) => (
            <Menu.Item key={shareable.label} onClick={() => onShare(shareable)}>
              <bdi>{shareable.label}</bdi>
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What can be shared of the screen, the most particular first. */
export function listShareables(
  drawing: Pick<GraphView, 'regions' | 'regionNodes'> | undefined,
  graph: Pick<LiveGraph, 'findEntity'>,
  { selected, from, to, asOf }: Pick<GraphAddress, 'selected' | 'from' | 'to' | 'asOf'>,
): (Shareable & { label: string })[] {
  const nameOf = (id: string) => graph.findEntity(id)?.name ?? 'Entity'
  const found: (Shareable & { label: string })[] = []
  if (asOf === undefined && from !== undefined && to !== undefined) {
    const name = `${nameOf(from)} to ${nameOf(to)}`
    found.push({ view: { kind: 'path', from, to }, name, label: `Path: ${name}` })
  }
  if (asOf === undefined && selected !== undefined && graph.findEntity(selected)) {
    const name = nameOf(selected)
    found.push({ view: { kind: 'entity', entityId: selected }, name, label: `Entity: ${name}` })
    const region = drawing
      ?.regions()
      .find(({ id, loose }) => !loose && drawing.regionNodes(id).includes(selected))
    if (region) {
      const view = { kind: 'region' as const, regionId: region.id }
      found.push({ view, name: region.name, label: `Region: ${region.name}` })
    }
  }
  const name = 'the graph'
  const moment = asOf ?? new Date().toISOString()
  const label = asOf === undefined ? 'The graph as of now' : 'The graph as of this moment'
  return [...found, { view: { kind: 'date', asOf: moment }, name, label }]
}
