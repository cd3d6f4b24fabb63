import type { Draft } from '@loci/contract/drafts'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { defer } from '../../lib/deferred.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, offerUndo } from '../../lib/notify.tsx'
import { useMayWrite } from '../../lib/rights.ts'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import { useDecideDrafts } from '../../lib/use-decide-drafts.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './led-to.module.css'

type DraftProps = { draft: Draft; isActive: boolean; onEnter: () => void; onLeave: () => void }

/** A sentence of the conversation that nobody has decided on. Its dashed ring on the wall is not remembered yet. */
export function DraftBeside({ draft, isActive, onEnter, onLeave }: DraftProps) {
  const { content, entity } = draft.changes[0]!
  const [text, setText] = useState<string>()
  const [isDropped, setDropped] = useState(false)
  const mayDecide = useMayWrite()
  const { keep, drop } = useDecideDrafts()
  const notifyUndoable = useNotifyUndoable()
  useUnsaved(text !== undefined && isChanged(text, content), keep.isPending)
  if (isDropped) return null
  const failed = (message: string) => (error: unknown) => notifyError(message, messageOf(error, ''))
  const keepAs = (said: string) =>
    keep
      .mutateAsync({ draft, body: said === content ? {} : { content: said } })
      .then(({ setId }) => notifyUndoable(`Fact on ${entity.name} kept`, setId))
      .catch(failed('The draft could not be kept'))
  function dropLater() {
    setDropped(true)
    const comeBack = (error: unknown) => {
      setDropped(false)
      failed('The draft could not be dropped')(error)
    }
    const cancel = defer(() => void drop.mutateAsync([draft.id]).catch(comeBack))
    offerUndo(`Fact on ${entity.name} dropped`, () => {
      if (cancel()) setDropped(false)
      else notifyError('It is too late to undo this', 'You can still add it as an observation.')
    })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only points out what focus points out too.
    <div
      className={classes.fact}
      data-fact={draft.id}
      data-active={isActive || undefined}
      data-edited={text !== undefined || undefined}
      onMouseEnter={onEnter}
      onMouseLeave={onLeave}
      onFocus={onEnter}
    >
      <span className={classes.dot} data-draft aria-hidden />
      <div className={classes.factHead}>
        <span className={classes.entity}>
          <TypeDot type={entity.type} />
          <bdi>
            <VisibleText text={entity.name} />
          </bdi>
        </span>
        <span className={classes.factFoot}>Draft</span>
      </div>
      {text === undefined ? (
        <div className={classes.factText} dir="auto">
          <VisibleText text={content} />
        </div>
      ) : (
        <Textarea
          aria-label="Fact"
          autosize
          minRows={2}
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && setText(undefined)}
        />
      )}
      {mayDecide && (
        <div className={classes.decide}>
          <Button
            size="compact-xs"
            data-led={draft.id}
            loading={keep.isPending}
            disabled={text?.trim() === ''}
            onClick={() => void keepAs(text?.trim() ?? content)}
          >
            Keep
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setText(text === undefined ? content : undefined)}
          >
            {text === undefined ? 'Edit' : 'Cancel'}
          </Button>
          {text === undefined && (
            <Button size="compact-xs" variant="default" onClick={dropLater}>
              Drop
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
