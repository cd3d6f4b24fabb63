import { ActionIcon, Button, Kbd } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { GroupHead } from './group-head.tsx'
import classes from './inbox.module.css'
import { ProposalRow } from './proposal-row.tsx'
import type { Decisions } from './use-decisions.ts'
import type { Inbox } from './use-inbox.ts'

type ListProps = { inbox: Inbox; decisions: Decisions }

/** What waits for a decision, under the agents and conversations that it is from. */
export function InboxList({ inbox, decisions }: ListProps) {
  const { groups, ordered, focused, chosen, isEdited, mayDecide } = inbox
  return (
    <>
      <div className={classes.frame}>
        {groups.map((group) => (
          <section key={group.key} className={classes.group}>
            <GroupHead
              group={group}
              onAcceptAll={
                group.proposals.every(mayDecide) ? () => inbox.acceptMany(group.proposals) : undefined
              }
            />
            <ul>
              {group.proposals.map((proposal) => (
                <ProposalRow
                  key={proposal.id}
                  proposal={proposal}
                  isFocused={proposal === focused}
                  isSelected={chosen.includes(proposal)}
                  isEdited={isEdited}
                  decisions={mayDecide(proposal) ? decisions : undefined}
                  onFocus={() => inbox.focus(proposal)}
                  onSelect={(event) => inbox.select(proposal, event.shiftKey)}
                  onEdit={inbox.setEdited}
                  onAccept={(edited) => inbox.accept(proposal, edited)}
                  onReject={() => inbox.reject([proposal])}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {chosen.length > 0 && <SelectionBar inbox={inbox} />}
      {ordered.some(mayDecide) && <KeyLine />}
    </>
  )
}

function SelectionBar({ inbox }: { inbox: Inbox }) {
  const { chosen } = inbox
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selection">
      <span className={classes.barCount} role="status">
        {chosen.length} selected
      </span>
      <Button variant="subtle" size="compact-sm" onClick={() => inbox.acceptMany(chosen)}>
        Accept
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={() => inbox.reject(chosen)}>
        Reject
      </Button>
      <ActionIcon aria-label="Clear selection" onClick={inbox.clearSelection}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  )
}

const keys: [string[], string][] = [
  [['J', 'K'], 'next, back'],
  [['A'], 'accept'],
  [['E'], 'edit'],
  [['R'], 'reject'],
  [['X'], 'select'],
  [['Shift A', 'Shift R'], 'the selection'],
  [['O'], 'open the source'],
  [['Z'], 'undo'],
]

const KeyLine = () => (
  <p className={classes.keys}>
    {keys.map(([names, label]) => (
      <span key={label}>
        {names.map((name) => (
          <Kbd key={name} size="xs">
            {name}
          </Kbd>
        ))}
        {label}
      </span>
    ))}
  </p>
)
