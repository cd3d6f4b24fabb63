import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import classes from './details-panel.module.css'
import type { Subject } from './use-panels.ts'

type DetailsPanelProps = {
  open: boolean
  subject: Subject
  /** Takes the full height. */
  tall: boolean
  phone: boolean
  small: boolean
  onToggle: () => void
  onClose: () => void
  children: ReactNode
}

/**
 * The right panel: details of the selection. In small windows it is shown only while something is selected; on phones
 * it is a bottom sheet.
 */
export function DetailsPanel({ open, subject, tall, phone, small, ...props }: DetailsPanelProps) {
  const busy = subject !== 'none'
  const [pulledUp, setPulledUp] = useState(false)
  // The next one starts small.
  if (pulledUp && subject !== 'details') setPulledUp(false)
  if (small && !busy) return null
  const shown = open || busy
  /** Escape deselects, as on the picture; fields and what opens above the panel keep it for themselves. */
  function onKeyDown({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) {
    if (!busy || key !== 'Escape' || !(target instanceof Element)) return
    if (currentTarget.contains(target) && !target.matches('input, textarea')) props.onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key belongs to everything in the panel
    <div
      className={classes.panel}
      data-side={!phone || undefined}
      data-tall={(tall && shown) || undefined}
      data-hint={subject === 'hint' || undefined}
      data-up={pulledUp || undefined}
      onKeyDown={onKeyDown}
    >
      {phone && subject === 'details' && (
        <button
          type="button"
          className={classes.handle}
          aria-label={pulledUp ? 'Make smaller' : 'Make larger'}
          aria-expanded={pulledUp}
          onClick={() => setPulledUp(!pulledUp)}
        >
          {pulledUp ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </button>
      )}
      <div className={classes.corner}>
        {busy ? (
          <Corner label="Close" onClick={props.onClose}>
            <IconX size={16} />
          </Corner>
        ) : (
          <Corner label={open ? 'Fold details' : 'Show details'} expanded={open} onClick={props.onToggle}>
            {open ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </Corner>
        )}
      </div>
      {shown ? (
        props.children
      ) : (
        <h2 className={classes.folded}>
          Selected Node <span className={classes.none}>none</span>
        </h2>
      )}
    </div>
  )
}

type CornerProps = { label: string; expanded?: boolean; onClick: () => void; children: ReactNode }

function Corner({ label, expanded, onClick, children }: CornerProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} aria-expanded={expanded} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
