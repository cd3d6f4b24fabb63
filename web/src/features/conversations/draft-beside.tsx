import type { Draft } from '@loci/contract/drafts'
import { Button, Kbd, Textarea } from '@mantine/core'
import { useState } from 'react'
import { outlastingApiHere } from '../../lib/api.ts'
import { defer } from '../../lib/deferred.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, offerUndo } from '../../lib/notify.tsx'
import { useMayWrite } from '../../lib/rights.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import { useDecideDrafts } from '../../lib/use-decide-drafts.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './led-to.module.css'
import { WaitingBeside } from './waiting-beside.tsx'

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
    const where = outlastingApiHere()
    const cancel = defer(() => void drop.mutateAsync({ ids: [draft.id], where }).catch(comeBack))
    offerUndo(`Fact on ${entity.name} dropped`, () => {
      if (cancel()) setDropped(false)
      else notifyError('It is too late to undo this', 'You can still add it as an observation.')
    })
  }
  const isDeciding = isActive && mayDecide && text === undefined && !isDropped && !keep.isPending
  useScreenKeys({
    a: () => isDeciding && void keepAs(content),
    e: () => isDeciding && setText(content),
    r: () => isDeciding && dropLater(),
  })
  if (isDropped) return null
  return (
    <WaitingBeside
      id={draft.id}
      entity={entity}
      kind="Draft"
      isActive={isActive}
      isEdited={text !== undefined}
      onEnter={onEnter}
      onLeave={onLeave}
    >
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
            rightSection={text === undefined && <KeyHint>A</KeyHint>}
            onClick={() => void keepAs(text?.trim() ?? content)}
          >
            Keep
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            rightSection={text === undefined && <KeyHint>E</KeyHint>}
            onClick={() => setText(text === undefined ? content : undefined)}
          >
            {text === undefined ? 'Edit' : 'Cancel'}
          </Button>
          {text === undefined && (
            <Button
              size="compact-xs"
              variant="default"
              rightSection={<KeyHint>R</KeyHint>}
              onClick={dropLater}
            >
              Drop
            </Button>
          )}
        </div>
      )}
    </WaitingBeside>
  )
}

const KeyHint = ({ children }: { children: string }) => (
  <Kbd size="xs" className={classes.key} aria-hidden>
    {children}
  </Kbd>
)
