import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { countOf } from '../../lib/format.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { isAgent, writerOf } from '../../ui/writer-name.ts'
import classes from './inbox.module.css'
import { useConversationTitle } from './inbox.queries.ts'
import type { Group } from './inbox.rules.ts'

type HeadProps = { group: Group; onAcceptAll: (() => void) | undefined }

/** The agent and the conversation that proposals are from, and a button that accepts them all. */
export function GroupHead({
  group: { by, conversationId, title: known, proposals },
  onAcceptAll,
}: HeadProps) {
  const { data: conversation } = useConversationTitle(known === undefined ? conversationId : undefined)
  const title = known ?? conversation?.title
  const count = proposals.length
  const verb = proposals.every(({ draft }) => draft) ? 'Keep' : 'Accept'
  return (
    <div className={classes.groupHead}>
      <WriterMark name={writerOf(by)} isAgent={isAgent(by)} />
      <bdi className={classes.agent}>{writerOf(by)}</bdi>
      {title !== undefined && (
        <>
          <IconChevronRight size={14} className={classes.arrow} aria-hidden />
          <h2 className={classes.groupTitle}>
            <bdi>
              <VisibleText text={title || 'Untitled conversation'} />
            </bdi>
          </h2>
        </>
      )}
      <span className={classes.count}>{countOf(count, 'to decide', 'to decide')}</span>
      {onAcceptAll && count > 1 && (
        <Button variant="default" size="compact-sm" className={classes.all} onClick={onAcceptAll}>
          {`${verb} ${count === 2 ? 'both' : `all ${count}`}`}
        </Button>
      )}
    </div>
  )
}
