import { UnstyledButton } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './node-rows.module.css'

export function NodeRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type NodeRowProps = {
  id: string
  name: string
  type: string
  count?: number
  /** Shown before the name. */
  lead?: ReactNode
  onPick: (id: string) => void
}

/** A node in a list; clicking it shows it in the picture. */
export const NodeRow = memo(function NodeRow({ id, name, type, count, lead, onPick }: NodeRowProps) {
  return (
    <li>
      <UnstyledButton className={classes.row} onClick={() => onPick(id)}>
        {lead}
        <TypeDot type={type} />
        <bdi className={classes.name} title={name}>
          <VisibleText text={name} />
        </bdi>
        {count !== undefined && <span className={classes.count}>{formatNumber(count)}</span>}
      </UnstyledButton>
    </li>
  )
})
