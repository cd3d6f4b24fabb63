import { wordsOfType } from '@loci/contract/lists'
import type { AcceptRule } from '@loci/contract/proposals'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { isAgent, writerOf } from '../../ui/writer-name.ts'
import classes from './inbox.module.css'

/** What a rule does. */
export function AlwaysWords({ type, by }: Pick<AcceptRule, 'type' | 'by'>) {
  return (
    <>
      Always accept{' '}
      <b>
        <VisibleText text={wordsOfType(type)} />
      </b>{' '}
      facts from{' '}
      <span className={classes.ruleAgent}>
        <WriterMark name={writerOf(by)} isAgent={isAgent(by)} />{' '}
        <bdi>
          <b>{writerOf(by)}</b>
        </bdi>
      </span>
    </>
  )
}
