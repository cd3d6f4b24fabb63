import { Button, Checkbox, Kbd } from '@mantine/core'
import type { MouseEvent } from 'react'
import { countOf } from '../../lib/format.ts'
import { AlwaysWords } from './always-words.tsx'
import { ChangeWords } from './change-words.tsx'
import { ConflictNote } from './conflict-note.tsx'
import classes from './inbox.module.css'
import { type Edited, factsOf, type Item, ruleTypeOf, verbsOf, wordsOf } from './inbox.rules.ts'
import { KnownFacts } from './known-facts.tsx'
import { ProposalEditor } from './proposal-editor.tsx'
import { ProposalSource } from './proposal-source.tsx'
import type { Decisions } from './use-decisions.ts'

type RowProps = {
  proposal: Item
  isFocused: boolean
  isSelected: boolean
  isEdited: boolean
  /** Undefined for those who only see their own proposals. */
  decisions: Decisions | undefined
  onFocus: () => void
  onSelect: (event: MouseEvent) => void
  onEdit: (isEdited: boolean) => void
  onAccept: (edited?: Edited) => void
  onReject: () => void
}

/** A proposal: what it says, where it is from, and in focus what is known already and what can be decided. */
export function ProposalRow(props: RowProps) {
  const { proposal, isFocused, isSelected, isEdited, decisions, onFocus, onEdit } = props
  const conflict = decisions?.conflicts.get(proposal.id)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys J and K move from row to row, too.
    <li
      className={classes.row}
      data-proposal={proposal.id}
      data-focus={isFocused || undefined}
      data-selected={isSelected || undefined}
      tabIndex={-1}
      aria-current={isFocused || undefined}
      onClick={onFocus}
    >
      <div className={classes.halves}>
        <span className={classes.box}>
          {decisions && (
            <Checkbox
              size="xs"
              aria-label={`Select ${wordsOf(proposal).slice(0, 80)}`}
              checked={isSelected}
              onChange={() => {}}
              onClick={props.onSelect}
            />
          )}
        </span>
        <ProposalChanges proposal={proposal} isWhole={isFocused} />
        <ProposalSource proposal={proposal} isFocused={isFocused} />
      </div>
      {conflict && (
        <div className={classes.focus}>
          <ConflictNote error={conflict} />
        </div>
      )}
      {isFocused && isEdited && decisions && (
        <ProposalEditor
          proposal={proposal}
          typed={decisions.typedOf(proposal)}
          isSaving={decisions.isAccepting}
          onAccept={props.onAccept}
          onCancel={() => onEdit(false)}
        />
      )}
      {isFocused && !isEdited && (
        <div className={classes.focus}>
          <KnownFacts
            proposal={proposal}
            replaces={decisions?.choicesOf(proposal).replaces ?? []}
            onReplaces={decisions && ((ids) => decisions.choose(proposal, ids))}
          />
          {decisions && <RowActions {...props} />}
        </div>
      )}
    </li>
  )
}

const changesAtFirst = 3
const changesWhole = 12

/** The changes of a proposal, the first of them unless it has the focus. */
export function ProposalChanges({ proposal, isWhole }: { proposal: Item; isWhole: boolean }) {
  const { changes, changesCount } = proposal
  const shown = changes.slice(0, isWhole ? changesWhole : changesAtFirst)
  return (
    <div className={classes.fact}>
      {shown.map((change) => (
        <ChangeWords key={`${change.operation} ${change.subject.id}`} change={change} />
      ))}
      {changesCount > shown.length && (
        <span className={classes.more}>
          {countOf(changesCount - shown.length, 'more change', 'more changes')}
        </span>
      )}
    </div>
  )
}

const KeyHint = ({ children }: { children: string }) => (
  <Kbd size="xs" className={classes.key} aria-hidden>
    {children}
  </Kbd>
)

function RowActions({ proposal, decisions, onAccept, onEdit, onReject }: RowProps) {
  const verbs = verbsOf(proposal)
  const type = ruleTypeOf(proposal)
  return (
    <div className={classes.actions}>
      <Button rightSection={<KeyHint>A</KeyHint>} onClick={() => onAccept()}>
        {verbs.accept}
      </Button>
      {factsOf(proposal).length > 0 && (
        <Button variant="default" rightSection={<KeyHint>E</KeyHint>} onClick={() => onEdit(true)}>
          Edit
        </Button>
      )}
      <Button variant="default" rightSection={<KeyHint>R</KeyHint>} onClick={onReject}>
        {verbs.reject}
      </Button>
      {decisions && type !== undefined && (
        <Checkbox
          size="xs"
          className={classes.always}
          checked={decisions.always.has(proposal.id)}
          onChange={(event) => decisions.setAlways(proposal, event.currentTarget.checked)}
          label={<AlwaysWords type={type} by={proposal.by} />}
        />
      )}
    </div>
  )
}
