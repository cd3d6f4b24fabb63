import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { isAgent, writerOf } from '../../ui/writer-name.ts'
import { AlwaysWords } from './always-words.tsx'
import { ConflictNote } from './conflict-note.tsx'
import classes from './inbox.module.css'
import { useConversationTitle } from './inbox.queries.ts'
import { factsOf, ruleTypeOf, verbsOf, wordsOf } from './inbox.rules.ts'
import { KnownFacts } from './known-facts.tsx'
import { ProposalEditor } from './proposal-editor.tsx'
import { ProposalChanges } from './proposal-row.tsx'
import { ProposalSource } from './proposal-source.tsx'
import type { Decisions } from './use-decisions.ts'
import type { Inbox } from './use-inbox.ts'
import { useSwipe } from './use-swipe.ts'

type CardProps = { inbox: Inbox; decisions: Decisions; total: number }

/** One proposal at a time, for thumbs: swiping right accepts, left rejects. */
export function InboxCard({ inbox, decisions, total }: CardProps) {
  const { ordered, focused, isEdited } = inbox
  const [most] = useState(total)
  const { data: conversation } = useConversationTitle(
    focused?.draft ? undefined : focused?.source?.conversationId,
  )
  const swipe = useSwipe({
    onRight: () => focused && inbox.accept(focused),
    onLeft: () => focused && inbox.reject([focused]),
  })
  if (focused === undefined) return null
  const verbs = verbsOf(focused)
  const ruleType = ruleTypeOf(focused)
  const next = ordered[ordered.indexOf(focused) + 1]
  const conflict = decisions.conflicts.get(focused.id)
  const share = most === 0 ? 1 : Math.max(0, most - total) / most
  return (
    <>
      <div className={classes.progress} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <div className={classes.cardHead}>
        <WriterMark name={writerOf(focused.by)} isAgent={isAgent(focused.by)} />
        <h2 className={classes.groupTitle}>
          <bdi>
            <VisibleText
              text={focused.draft?.conversationTitle || conversation?.title || writerOf(focused.by)}
            />
          </bdi>
        </h2>
      </div>
      <div>
        <div
          key={focused.id}
          className={classes.card}
          data-proposal={focused.id}
          tabIndex={-1}
          {...(isEdited ? {} : swipe)}
        >
          <ProposalChanges proposal={focused} isWhole />
          <ProposalSource proposal={focused} isFocused />
          {conflict && <ConflictNote error={conflict} />}
          {focused.rivals.length > 0 && (
            <KnownFacts
              proposal={focused}
              replaces={decisions.choicesOf(focused).replaces}
              onReplaces={(ids) => decisions.choose(focused, ids)}
            />
          )}
          {isEdited && (
            <ProposalEditor
              proposal={focused}
              typed={decisions.typedOf(focused)}
              isSaving={decisions.isAccepting}
              onAccept={(edited) => inbox.accept(focused, edited)}
              onCancel={() => inbox.setEdited(false)}
            />
          )}
        </div>
        {next && <p className={classes.next}>{wordsOf(next)}</p>}
      </div>
      {!isEdited && (
        <div className={classes.thumbs}>
          {ruleType !== undefined && (
            <Checkbox
              className={classes.thumbsAlways}
              checked={decisions.always.has(focused.id)}
              onChange={(event) => decisions.setAlways(focused, event.currentTarget.checked)}
              label={<AlwaysWords type={ruleType} by={focused.by} />}
            />
          )}
          <Button variant="default" size="md" onClick={() => inbox.reject([focused])}>
            {verbs.reject}
          </Button>
          <Button
            variant="default"
            size="md"
            disabled={factsOf(focused).length === 0}
            onClick={() => inbox.setEdited(true)}
          >
            Edit
          </Button>
          <Button size="md" onClick={() => inbox.accept(focused)}>
            {verbs.accept}
          </Button>
        </div>
      )}
    </>
  )
}
